import {
  type AuthorizationRequest,
  failFlow,
  finishFlow,
  loginFlow,
  stageEndOfFlow,
} from '../../sign-in-flows/public.ts';
import type { ClientContext } from '../../known-devices/public.ts';
import { completeSignIn } from '../../sign-in/public.ts';
import { issueAuthorizationCode } from '../../authorization-codes/public.ts';
import { systemActor } from '../../kernel/authentication/caller.ts';
import { clock } from '../../kernel/clock.ts';
import { settings } from '../../kernel/settings.ts';
import { applyWork } from '../../kernel/storage/background.ts';
import { StorageUnavailable } from '../../kernel/storage/faults.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { findOrganization, type OrganizationSummary } from '../../organizations/public.ts';
import { stageHandover } from '../../social/public.ts';
import { touchUserVersion } from '../../users/public.ts';
import { type ConnectionRecord, connections } from '../connection/entity.ts';
import { issueProfileCode } from '../profile/code.ts';
import { type Answer, type SsoSignInRecord, ssoSignIns } from './entity.ts';
import { ssoEvent } from './events.ts';
import type { ConnectionIdentity } from './identity.ts';
import { prepareAttempt, SsoRejected } from './person.ts';
import type { Started } from './start.ts';

interface Concluding {
  signIn: SsoSignInRecord;
  flowId: string;
  origin: ClientContext;
}

/**
 * Ends a sign-in after its provider has responded: with a code for the application, a page for a remaining step, or an
 * error. Undefined if it has ended since.
 */
export async function conclude(concluding: Concluding, answer: Answer): Promise<Started | undefined> {
  if (answer.kind === 'failure') return fail(concluding, answer);
  const { signIn, flowId } = concluding;
  const { identity } = answer;
  let next: Started | undefined;
  try {
    await applyWork(signIn.environmentId, systemActor, async (unit) => {
      const [flow, current, record, organization] = await Promise.all([
        loginFlow(signIn.environmentId, flowId),
        ssoSignIns.get(signIn.environmentId, signIn.id),
        connections.get(signIn.environmentId, signIn.connectionId),
        findOrganization(signIn.environmentId, signIn.organizationId),
      ]);
      next = undefined;
      if (flow === undefined || current === undefined) return;
      if (record?.state !== 'active' || organization === undefined) {
        throw new SsoRejected('connection_unlinked', 'The connection is no longer active.');
      }
      unit.stage(ssoSignIns.remove(current));
      if (record.provenAt === undefined) unit.stage(connections.revise(record, { provenAt: clock.timestamp() }).write);
      next = await proceed(unit, { concluding, flow, record, organization, identity });
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
}

async function proceed(unit: Unit, proceeding: Proceeding): Promise<Started> {
  const { concluding, flow, record, organization, identity } = proceeding;
  const { environmentId } = record;
  if (flow.isForProfile === true) {
    const code = await issueProfileCode(unit, { flow, record, organization, identity });
    stageEndOfFlow(unit, flow);
    succeed(unit, concluding, { email: identity.email });
    return { location: finishFlow(flow, code), cookies: [] };
  }
  const attempt = await prepareAttempt(unit, { flow, record, organization, identity, origin: concluding.origin });
  const { user } = attempt;
  succeed(unit, concluding, { email: user.email, userId: user.id });
  const signIn = await completeSignIn(unit, attempt);
  if (signIn.kind === 'rejected') throw new SsoRejected(signIn.code, 'The sign-in was rejected.');
  if (signIn.kind === 'pending') {
    const { code, token, members } = signIn;
    const cookie = stageHandover(unit, flow, { kind: 'pending', code, token, members, email: user.email });
    return { location: `${settings().GATEHOUSE_BASE_URL}/hosted/sign-in/social?flow=${flow.id}`, cookies: [cookie] };
  }
  const { code } = await issueAuthorizationCode(unit, {
    environmentId,
    flow,
    method: 'sso',
    oauthTokens: identity.tokens,
    // A concurrent removal or linking of accounts comes before or after this one, and is never overlooked.
    user: touchUserVersion(unit, signIn.user),
    organizationId: signIn.organizationId,
    authenticatedAt: identity.authenticatedAt,
  });
  return { location: finishFlow(flow, code), cookies: [] };
}

function succeed(
  unit: Pick<Unit<'authentication.sso_succeeded'>, 'emit'>,
  { signIn }: Concluding,
  { email, userId }: { email: string; userId?: string },
): void {
  const data = ssoEvent('succeeded', signIn, { email, ...(userId === undefined ? {} : { userId }) });
  unit.emit('authentication.sso_succeeded', data, { organizationId: signIn.organizationId });
}

/** Emits the event of a failed sign-in, and gives the application the reason. Undefined if it has ended since. */
async function fail(
  { signIn, flowId }: Concluding,
  { code, message, email }: { code: string; message: string; email: string | null },
): Promise<Started | undefined> {
  let location: string | undefined;
  await applyWork(signIn.environmentId, systemActor, async (unit: Unit<'authentication.sso_failed'>) => {
    const [flow, current] = await Promise.all([
      loginFlow(signIn.environmentId, flowId),
      ssoSignIns.get(signIn.environmentId, signIn.id),
    ]);
    location = flow && failFlow(flow, code, message);
    if (current === undefined) return;
    unit.stage(ssoSignIns.remove(current));
    const data = { ...ssoEvent('failed', signIn, { email }), error: { code, message } };
    unit.emit('authentication.sso_failed', data, { organizationId: signIn.organizationId });
  });
  return location === undefined ? undefined : { location, cookies: [] };
}
