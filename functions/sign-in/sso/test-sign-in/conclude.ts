import { rolesOfGroups } from '../../../tenancy/modules/group-roles/public.ts';
import { systemActor } from '../../../kernel/authentication/caller.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { removeCookie } from '../../../kernel/http/cookies.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { findSurroundings } from '../../../kernel/pages/surroundings.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { findOrganization, type OrganizationSummary } from '../../../tenancy/organizations/public.ts';
import { userManagementSettings } from '../../../tenancy/modules/users/public.ts';
import { type AttemptRecord, attempts } from '../attempt/entity.ts';
import { type Consequence, presentAttempt } from '../attempt/schema.ts';
import { openDetails, stageEndOfAttempt } from '../attempt/stage.ts';
import { type ConnectionRecord, connections } from '../connection/entity.ts';
import { settingsIn } from '../connection/settings.ts';
import { type ProviderResponse, type SsoSignInRecord, ssoSignIns } from '../sign-in/entity.ts';
import { endedSignIn } from '../sign-in/errors.ts';
import type { ConnectionIdentity } from '../sign-in/identity.ts';
import { checkArrival } from '../sign-in/arrival.ts';
import { OUTSIDE, rejectArrival } from '../sign-in/person.ts';
import { bindingOf } from '../sign-in/state.ts';
import { testPage } from './page.ts';

/** Computes the effect of a sign-in with an identity without causing it, by reads in three round trips. */
async function findConsequence(
  record: ConnectionRecord,
  organization: OrganizationSummary,
  identity: ConnectionIdentity,
): Promise<Consequence> {
  const { environmentId } = record;
  const [{ found, denial }, { multiple_roles: multiple }] = await awaitAll([
    checkArrival(record, organization, identity, { isInvited: false }),
    findSettings(environmentId, userManagementSettings),
  ]);
  const roles = rolesOfGroups(environmentId, settingsIn(record).group_roles, identity.groups, { multiple });
  const of = (kind: Consequence['kind'], reason: string | null = null): Consequence => ({ kind, reason, roles });
  if (denial === undefined) return of(found === undefined ? 'create_user' : 'sign_in');
  if (denial === 'own_sign_in_required') {
    return of(
      'own_sign_in',
      'The address is outside of the organization’s domains, so the person signs in to the account once.',
    );
  }
  return of('rejected', denial === 'outside_organization' ? OUTSIDE : rejectArrival(denial).message);
}

/** Stores the result of a test. @returns the attempt with the result; undefined if the sign-in has ended in the meantime */
async function endTest(signIn: SsoSignInRecord, response: ProviderResponse): Promise<AttemptRecord | undefined> {
  const { environmentId, connectionId, organizationId, attemptId = '' } = signIn;
  const key = { environmentId, connectionId, id: attemptId };
  let isEnded = false;
  await applyWork(environmentId, systemActor, async (unit) => {
    const [current, attempt, record, organization] = await awaitAll([
      ssoSignIns.get(environmentId, signIn.id),
      attempts.getAt(key),
      connections.get(environmentId, connectionId),
      findOrganization(environmentId, organizationId),
    ]);
    isEnded = current !== undefined && record !== undefined && organization !== undefined;
    if (current === undefined || record === undefined || organization === undefined) return;
    unit.stage(ssoSignIns.remove(current));
    if (response.kind === 'failure') return stageEndOfAttempt(unit, attempt, { error: response });
    const consequence = await findConsequence(record, organization, response.identity);
    const isUnchanged = attempt?.connectionVersion === record.version;
    const proven =
      record.provenAt === undefined ? connections.revise(record, { provenAt: clock.timestamp() }) : undefined;
    const connectionVersion = isUnchanged ? (proven?.record ?? record).version : undefined;
    stageEndOfAttempt(unit, attempt, { consequence, connectionVersion });
    if (proven !== undefined) unit.stage(proven.write);
  });
  return isEnded ? attempts.getAt(key) : undefined;
}

/**
 * Ends a test sign-in with a redirect to the address that was given for it, or with a page. It creates no user and no
 * session.
 */
export async function concludeTest(
  signIn: SsoSignInRecord,
  response: ProviderResponse,
  returnUrl: string | undefined,
  request: IncomingRequest,
) {
  const record = await endTest(signIn, response);
  if (record === undefined) throw endedSignIn(request);
  const cookies = [removeCookie(bindingOf(signIn.id))];
  if (returnUrl !== undefined) {
    const location = new URL(returnUrl);
    location.searchParams.set('attempt_id', record.id);
    return { status: 302 as const, headers: { location: location.href }, cookies };
  }
  const attempt = presentAttempt(record, await openDetails(record));
  const surroundings = await findSurroundings(signIn.environmentId, request);
  return { status: 200 as const, ...testPage(surroundings, attempt), cookies };
}
