import { expect } from '@jest/globals';

import { accountAddress } from '../../support/account.ts';
import { browser, type Page } from '../../support/browser.ts';
import { call, service } from '../../support/service.ts';
import { addMembership } from '../../support/users.ts';
import { authenticate, authenticatePublicly, decide } from '../authentication/inside.ts';
import { redeem, registerApplication, startUrl } from '../sso/identity-provider.ts';
import { samlConnection } from '../sso/support.ts';
import { addOrganization, addPerson, type Granted, readResult, refresh, signInByPassword } from './tenants.ts';

export const EMAIL = 'ada@person.example';

/** A person who is a member of two organizations. The policies are those of the first. */
export interface Member {
  userId: string;
  organizationId: string;
  membershipId: string;
  otherId: string;
}

/** The result of a door: `allowed`, the code of the error, or the path of the page that asks for more. */
type Outcome = Promise<string>;

/** A way in which a session, code or token comes into being: what happens before a policy is set, and the use after it. */
type Door = (member: Member) => Promise<() => Outcome>;

export async function setUpMember(): Promise<Member> {
  await registerApplication();
  const [organizationId, otherId] = [await addOrganization('First'), await addOrganization('Second')];
  const userId = await addPerson(EMAIL);
  await addMembership(userId, organizationId);
  await addMembership(userId, otherId);
  const list = `/user_management/organization_memberships?user_id=${userId}&organization_id=${organizationId}`;
  const { body } = await call<{ data: { id: string }[] }>('GET', list);
  return { userId, organizationId, otherId, membershipId: body.data[0]?.id ?? '' };
}

/** @param organizationId the organization that the person wants to enter */
function read(
  { status, body }: { status: number; body: { error?: string; code?: string; organization_id?: unknown } },
  organizationId = body.organization_id,
): string {
  if (status >= 300) return body.code ?? body.error ?? String(status);
  return body.organization_id === organizationId ? 'allowed' : 'another organization';
}

/** Reads where a browser ended: at the application with a code or an error, or at a page. */
function readPage(page: Page): string {
  const { code, error } = readResult(page);
  return code === undefined ? (error ?? new URL(page.url).pathname) : 'allowed';
}

const hosted = (organizationId: string): Promise<string> =>
  startUrl('/user_management/authorize', { provider: 'hosted', organization_id: organizationId });

/** Signs in at the hosted pages. @returns the browser, with the page at which it ended */
async function signIn(organizationId: string) {
  const person = browser();
  const page = await signInByPassword(person, await person.open(await hosted(organizationId)), EMAIL);
  return { person, page };
}

async function openSession(organizationId: string): Promise<Granted> {
  const { page } = await signIn(organizationId);
  const { status, body } = await redeem<Granted>(readResult(page).code);
  expect(status).toBe(200);
  return body;
}

/** The doors, by the names of the README's table. */
export const DOORS: Readonly<Record<string, Door>> = {
  'password, at the hosted pages':
    async ({ organizationId }) =>
    async () =>
      readPage((await signIn(organizationId)).page),
  'mailed code, by its grant': async ({ organizationId }) => {
    const { body } = await call<{ code: string }>('POST', '/user_management/magic_auth', { email: EMAIL });
    const grant_type = 'urn:workos:oauth:grant-type:magic-auth:code';
    return async () => {
      const first = await authenticate({ grant_type, email: EMAIL, code: body.code });
      if (first.body.code !== 'organization_selection_required') return read(first, organizationId);
      return read(
        await authenticate({
          grant_type: 'urn:workos:oauth:grant-type:organization-selection',
          pending_authentication_token: first.body.pending_authentication_token,
          organization_id: organizationId,
        }),
      );
    };
  },
  'code of a sign-in': async ({ organizationId }) => {
    const { code } = readResult((await signIn(organizationId)).page);
    return async () => read(await redeem<Granted>(code), organizationId);
  },
  refresh: async ({ organizationId }) => {
    const { refresh_token } = await openSession(organizationId);
    return async () => read(await refresh(refresh_token), organizationId);
  },
  'refresh, from another organization': async ({ organizationId, otherId }) => {
    const { refresh_token } = await openSession(otherId);
    return async () => read(await refresh(refresh_token, organizationId), organizationId);
  },
  'signed-in browser': async ({ organizationId }) => {
    const { person } = await signIn(organizationId);
    return async () => readPage(await person.open(await hosted(organizationId)));
  },
  'approved device': async ({ organizationId, userId }) => {
    const { clientId } = await service();
    const { body } = await call<{ device_code: string; user_code: string }>(
      'POST',
      '/user_management/authorize/device',
      { client_id: clientId },
      { apiKey: null },
    );
    await decide(body.user_code, userId, 'approve', { organizationId });
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
    return async () => read(await authenticatePublicly({ grant_type, device_code: body.device_code }), organizationId);
  },
  'account page': async ({ organizationId }) => {
    const { person } = await signIn(organizationId);
    return async () => {
      const { pathname } = new URL((await person.open(await accountAddress())).url);
      return pathname.startsWith('/hosted/account/') ? 'allowed' : pathname;
    };
  },
  'widget token':
    async ({ organizationId, userId }) =>
    async () =>
      read(await call('POST', '/widgets/token', { organization_id: organizationId, user_id: userId, scopes: [] })),
};

const must = async (response: Promise<{ status: number; body: unknown }>): Promise<void> => {
  const { status, body } = await response;
  if (status >= 300) throw new Error(`The policy got ${status}: ${JSON.stringify(body)}`);
};

/** The policies, by the names of the README's table. */
export const POLICIES: Readonly<Record<string, (member: Member) => Promise<void>>> = {
  'single sign-on': async ({ organizationId }) => {
    await samlConnection(organizationId);
    await must(call('PUT', `/x/organizations/${organizationId}/sso_policy`, { required: true }));
  },
  'second factor': () => must(call('PUT', '/x/authentication/settings', { mfa: 'required' })),
  'no member': ({ membershipId }) =>
    must(call('PUT', `/user_management/organization_memberships/${membershipId}/deactivate`)),
  'blocked address': () => must(call('POST', '/radar/lists/email/block', { entry: EMAIL })),
};
