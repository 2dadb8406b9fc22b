import { awaitAll } from '../../../kernel/concurrency.ts';
import {
  type AuthorizationRequest,
  failFlow,
  finishFlow,
  loginFlow,
  stageEndOfFlow,
  stageLinkOfFlow,
  findEventOrigin,
} from '../../modules/sign-in-flows/public.ts';
import type { ClientContext } from '../../../tenancy/modules/known-devices/public.ts';
import { completeSignIn } from '../../modules/sign-in/public.ts';
import { issueAuthorizationCode } from '../../modules/authorization-codes/public.ts';
import { systemActor } from '../../../kernel/authentication/caller.ts';
import { clock } from '../../../kernel/clock.ts';
import { settings } from '../../../kernel/settings.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { StorageUnavailable } from '../../../kernel/storage/faults.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { findOrganization, type OrganizationSummary } from '../../../tenancy/organizations/public.ts';
import { stageHandover, stageReadyHandover } from '../../social/public.ts';
import { touchUserVersion } from '../../../tenancy/modules/users/public.ts';
import { type AttemptRecord, attempts } from '../attempt/entity.ts';
import { stageEndOfAttempt } from '../attempt/stage.ts';
import { type ConnectionRecord, connections } from '../connection/entity.ts';
import { stageProviderSession } from '../logout/provider-session.ts';
import { issueProfileCode } from '../profile/code.ts';
import { type ProviderResponse, type SsoSignInRecord, ssoSignIns } from './entity.ts';
import { ssoEvent } from './events.ts';
import type { ConnectionIdentity } from './identity.ts';
import { prepareAttempt, type Prepared, SsoRejected } from './person.ts';
import type { Started } from './start.ts';

interface Concluding {
  signIn: SsoSignInRecord;
  flowId: string;
  origin: ClientContext;
}

/**
 * Continues a sign-in after its provider has responded: with a code for the application, a page for a remaining step, or an
 * error. Returns undefined if it has ended in the meantime.
 */
export async function conclude(concluding: Concluding, response: ProviderResponse): Promise<Started | undefined> {
  if (response.kind === 'failure') return fail(concluding, response);
  const { signIn, flowId } = concluding;
  const { identity } = response;
  let next: Started | undefined;
  try {
    await applyWork(signIn.environmentId, systemActor, async (unit) => {
      const [flow, current, record, organization, attempt] = await awaitAll([
        loginFlow(signIn.environmentId, flowId),
        ssoSignIns.get(signIn.environmentId, signIn.id),
        connections.get(signIn.environmentId, signIn.connectionId),
        findOrganization(signIn.environmentId, signIn.organizationId),
        findAttempt(signIn),
      ]);
      next = undefined;
      if (flow === undefined || current === undefined) return;
      unit.setOrigin(findEventOrigin(flow));
      if (record?.state !== 'active' || organization === undefined) {
        throw new SsoRejected('connection_unlinked', 'The connection is no longer active.');
      }
      unit.stage(ssoSignIns.remove(current));
      if (record.provenAt === undefined) unit.stage(connections.revise(record, { provenAt: clock.timestamp() }).write);
      next = await proceed(unit, { concluding, flow, record, organization, identity, attempt });
    });
    return next;
  } catch (error) {
    const { email } = identity;
    if (error instanceof StorageUnavailable) {
      return fail(concluding, { code: 'temporarily_unavailable', message: 'The service is busy. Try again.', email });
    }
    if (!(error instanceof SsoRejected)) throw error;
    return fail(concluding, { code: error.code, message: error.message, email });
  }
}

interface Proceeding {
  concluding: Concluding;
  flow: AuthorizationRequest;
  record: ConnectionRecord;
  organization: OrganizationSummary;
  identity: ConnectionIdentity;
  /** The attempt of the provider's response. */
  attempt: AttemptRecord | undefined;
}

/** The attempt of a sign-in's response, which ends with the sign-in. */
const findAttempt = async ({ environmentId, connectionId, attemptId }: SsoSignInRecord) =>
  attemptId === undefined ? undefined : attempts.getAt({ environmentId, connectionId, id: attemptId });

async function proceed(unit: Unit, proceeding: Proceeding): Promise<Started> {
  const { concluding, flow, record, organization, identity, attempt: stored } = proceeding;
  const { environmentId } = record;
  if (flow.isForProfile === true) {
    const code = await issueProfileCode(unit, { flow, record, organization, identity });
    stageEndOfFlow(unit, flow);
    stageEndOfAttempt(unit, stored, {});
    succeed(unit, concluding, { email: identity.email });
    return { location: finishFlow(flow, code), cookies: [] };
  }
  const prepared = await prepareAttempt(unit, { flow, record, organization, identity, origin: concluding.origin });
  if (prepared.kind === 'link') {
    stageEndOfAttempt(unit, stored, {});
    succeed(unit, concluding, { email: identity.email });
    return askForOwnSignIn(unit, flow, prepared);
  }
  const { attempt } = prepared;
  const { user } = attempt;
  stageEndOfAttempt(unit, stored, { userId: user.id });
  if (identity.idToken !== undefined && identity.sessionId !== undefined) {
    await stageProviderSession(unit, record, identity.sessionId, user.id);
  }
  succeed(unit, concluding, { email: user.email, userId: user.id });
  const signIn = await completeSignIn(unit, attempt);
  if (signIn.kind === 'rejected') throw new SsoRejected(signIn.code, signIn.message ?? 'The sign-in was rejected.');
  if (signIn.kind === 'pending') {
    const { code, token, members } = signIn;
    return toPages(flow, stageHandover(unit, flow, { kind: 'pending', code, token, members, email: user.email }));
  }
  const { device, agentClaim, account, application } = flow;
  if ([device, agentClaim, account, application].some((purpose) => purpose !== undefined)) {
    const { id: userId, credentialEpoch: epoch = 0, email } = touchUserVersion(unit, signIn.user);
    const { authenticatedAt } = identity;
    const signedIn = { userId, method: 'sso' as const, epoch, authenticatedAt, email };
    return toPages(flow, stageReadyHandover(unit, flow, signIn.verdict, signedIn));
  }
  const { code } = await issueAuthorizationCode(unit, {
    environmentId,
    flow,
    verdict: signIn.verdict,
    method: 'sso',
    oauthTokens: identity.tokens,
    // The unit of work writes the user's row, so that a concurrent removal or linking of accounts comes before or after it
    // and is never missed.
    user: touchUserVersion(unit, signIn.user),
    authenticatedAt: identity.authenticatedAt,
    mfa: attempt.proofs.mfa,
  });
  return { location: finishFlow(flow, code), cookies: [] };
}

/** Continues at the hosted pages, as far as the sign-in of this browser's cookie requires. */
const toPages = ({ id }: AuthorizationRequest, cookie: string): Started => ({
  location: `${settings().GATEHOUSE_BASE_URL}/hosted/sign-in/social?flow=${id}`,
  cookies: [cookie],
});

/**
 * Continues at the sign-in page of the hosted pages, where the user signs in to the account before the identity is linked to it: the
 * organization's word is no proof of an account that it does not cover.
 */
function askForOwnSignIn(
  unit: Pick<Unit, 'stage'>,
  flow: AuthorizationRequest,
  { user, link }: Extract<Prepared, { kind: 'link' }>,
): Started {
  stageLinkOfFlow(unit, flow, link, user.email);
  const query = new URLSearchParams({ flow: flow.id });
  return { location: `${settings().GATEHOUSE_BASE_URL}/hosted/sign-in?${query.toString()}`, cookies: [] };
}

function succeed(
  unit: Pick<Unit<'authentication.sso_succeeded'>, 'emit'>,
  { signIn }: Concluding,
  { email, userId }: { email: string; userId?: string },
): void {
  const data = ssoEvent('succeeded', signIn, { email, ...(userId === undefined ? {} : { userId }) });
  unit.emit('authentication.sso_succeeded', data, { organizationId: signIn.organizationId });
}

/**
 * Emits the event of a failed sign-in, and returns the reason to the application. Returns undefined if it has ended in the
 * meantime.
 */
async function fail(
  { signIn, flowId }: Concluding,
  { code, message, email }: { code: string; message: string; email: string | null },
): Promise<Started | undefined> {
  let location: string | undefined;
  await applyWork(signIn.environmentId, systemActor, async (unit: Unit<'authentication.sso_failed'>) => {
    const [flow, current, attempt] = await awaitAll([
      loginFlow(signIn.environmentId, flowId),
      ssoSignIns.get(signIn.environmentId, signIn.id),
      findAttempt(signIn),
    ]);
    location = flow && failFlow(flow, code, message);
    if (current === undefined) return;
    if (flow !== undefined) unit.setOrigin(findEventOrigin(flow));
    unit.stage(ssoSignIns.remove(current));
    stageEndOfAttempt(unit, attempt, { error: { code, message } });
    const data = { ...ssoEvent('failed', signIn, { email }), error: { code, message } };
    unit.emit('authentication.sso_failed', data, { organizationId: signIn.organizationId });
  });
  return location === undefined ? undefined : { location, cookies: [] };
}
