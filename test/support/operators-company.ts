import { authorityOfStage } from '../../functions/faces/console/link/authority.ts';
import { createPortalLink } from '../../functions/faces/console/public.ts';
import { findOwners } from '../../functions/faces/console/operators/environment.ts';
import { systemActor } from '../../functions/kernel/authentication/caller.ts';
import {
  OPERATORS_ENVIRONMENT_ID,
  OPERATORS_ORGANIZATION_ID,
} from '../../functions/kernel/authentication/environment-id.ts';
import { applyWork } from '../../functions/kernel/storage/background.ts';
import { findMembershipById, stageMembershipEnd } from '../../functions/tenancy/modules/memberships/public.ts';
import { stagePortalLink } from '../../functions/faces/portal/public.ts';
import { INTENTS } from '../../functions/tenancy/modules/portal-access/public.ts';
import { admitMinting } from '../../functions/tenancy/modules/trust/public.ts';
import { USER } from '../areas/directory-sync/scim.ts';
import { type Browser, browser, type Page } from './browser.ts';
import { openPath } from './console.ts';
import { nameServer } from './name-server.ts';
import { portalGrant, readText } from './portal.ts';
import { call, idle } from './service.ts';

/** Calls the API with a grant of an operators' session of the portal that has all tasks. */
export async function askForOperators<T>(method: string, path: string, body?: unknown): Promise<T> {
  const admin = browser();
  await admin.submit(await openPath(admin, await makeLink()));
  const apiKey = await portalGrant(admin, OPERATORS_ORGANIZATION_ID, OPERATORS_ENVIRONMENT_ID);
  const response = await call<T>(method, path, body, { apiKey });
  if (response.status >= 300) throw new Error(`${path} responded ${response.status}: ${JSON.stringify(response.body)}`);
  return response.body;
}

const makeLink = (): Promise<string> =>
  applyWork(OPERATORS_ENVIRONMENT_ID, systemActor, async (unit) =>
    stagePortalLink(unit, admitMinting(authorityOfStage(), OPERATORS_ORGANIZATION_ID), {
      environmentId: OPERATORS_ENVIRONMENT_ID,
      intents: INTENTS,
    }),
  );

/** Opens the portal of the operators by a link of the command. */
export async function openOperatorsPortal(
  intent: 'domain_verification' | 'sso',
): Promise<{ admin: Browser; first: Page }> {
  const admin = browser();
  return { admin, first: await admin.submit(await openPath(admin, await createPortalLink(intent))) };
}

/** Verifies the domain of the operators' company, `acme.example`, in the portal. */
export async function verifyCompanyDomain(): Promise<void> {
  const { admin, first } = await openOperatorsPortal('domain_verification');
  const added = await admin.submit(first, { domain: 'acme.example' }, 'value="add"');
  const { domains } = await askForOperators<{ domains: Record<string, string>[] }>(
    'GET',
    `/organizations/${OPERATORS_ORGANIZATION_ID}`,
  );
  const { verification_prefix: prefix, verification_token: token = '' } = domains[0] ?? {};
  (await nameServer()).text(`${prefix}.acme.example`, token);
  const verified = await admin.submit(added, { do: 'check' }, 'value="check"');
  if (!readText(verified).includes('The domain is verified.')) throw new Error('The domain is not verified');
}

/** Adds a person to a new directory of the operators' company. @returns a function that deactivates them there */
export async function addToDirectory(email: string): Promise<() => Promise<void>> {
  const { id } = await askForOperators<{ id: string }>('POST', '/x/directories', {
    organization_id: OPERATORS_ORGANIZATION_ID,
    name: 'Acme people',
  });
  const { scim_url: base } = await askForOperators<{ scim_url: string }>('GET', `/x/directories/${id}`);
  const { value: apiKey } = await askForOperators<{ value: string }>('POST', `/x/directories/${id}/tokens`, {});
  const headers = { 'content-type': 'application/scim+json; charset=utf-8' };
  const send = async (method: string, path: string, body: unknown) => {
    const sent = await call<{ id: string }>(method, `${new URL(base).pathname}${path}`, body, { apiKey, headers });
    if (sent.status >= 300) throw new Error(`SCIM responded ${sent.status}: ${JSON.stringify(sent.body)}`);
    return sent.body;
  };
  const entry = { schemas: [USER], userName: email, active: true, emails: [{ value: email, primary: true }] };
  const made = await send('POST', '/Users', entry);
  await idle();
  return async () => {
    await send('PUT', `/Users/${made.id}`, { ...entry, active: false });
  };
}

/** Removes the membership and the roles of every owner. */
export async function removeOwners(): Promise<void> {
  for (const { holderId } of await findOwners(10)) {
    const member = await findMembershipById(OPERATORS_ENVIRONMENT_ID, holderId);
    if (member === undefined) throw new Error('The owner is no member');
    await applyWork(OPERATORS_ENVIRONMENT_ID, systemActor, async (unit) => stageMembershipEnd(unit, member));
  }
  await idle();
}
