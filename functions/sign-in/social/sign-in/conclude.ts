import {
  type AuthorizationRequest,
  failFlow,
  findEventOrigin,
  finishFlow,
  loginFlow,
} from '../../modules/sign-in-flows/public.ts';
import { completeSignIn, type RejectionReason } from '../../modules/sign-in/public.ts';
import { issueAuthorizationCode } from '../../modules/authorization-codes/public.ts';
import type { ClientContext } from '../../../tenancy/modules/known-devices/public.ts';
import { systemActor } from '../../../kernel/authentication/caller.ts';
import { settings } from '../../../kernel/settings.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { StorageUnavailable } from '../../../kernel/storage/faults.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { touchUserVersion } from '../../../tenancy/modules/users/public.ts';
import type { ProviderFault } from '../exchange/failure.ts';
import { stageHandover } from '../handover/handover.ts';
import { REASONS, emitSocialFailure } from './failure.ts';
import { recognize, type SocialProof, type SocialRejection } from './proof.ts';
import type { Started } from './start.ts';

/** The exception that aborts a unit of work without a commit. */
class SignInRejected extends Error {
  readonly reason: SocialRejection | RejectionReason;
  /** The message of the environment's action for the person, if it has denied the sign-in with one. */
  readonly denial: string | undefined;
  constructor({ code, message }: { code: SocialRejection | RejectionReason; message?: string | undefined }) {
    super(code);
    this.reason = code;
    this.denial = message;
  }
}

/**
 * Continues a sign-in after a provider has authenticated the account: back to the application, or to the hosted pages for
 * the remaining steps. Returns undefined if the sign-in has ended in the meantime.
 */
export async function continueSignIn(
  environmentId: string,
  flowId: string,
  origin: ClientContext,
  proof: SocialProof,
): Promise<Started | undefined> {
  try {
    return await applyWork(environmentId, systemActor, async (unit) => {
      const flow = await loginFlow(environmentId, flowId);
      return flow && proceed(unit, flow, origin, proof);
    });
  } catch (error) {
    const { email } = proof.profile;
    if (error instanceof StorageUnavailable) {
      const message = 'The service is busy. Try again.';
      return fail(environmentId, flowId, origin, { code: 'temporarily_unavailable', message }, email);
    }
    if (!(error instanceof SignInRejected)) throw error;
    return fail(
      environmentId,
      flowId,
      origin,
      { code: error.reason, message: error.denial ?? REASONS[error.reason] },
      email,
    );
  }
}

async function proceed(
  unit: Unit,
  flow: AuthorizationRequest,
  origin: ClientContext,
  proof: SocialProof,
): Promise<Started> {
  const { environmentId } = flow;
  unit.setOrigin(findEventOrigin(flow));
  const { provider, tokens, provenAt: authenticatedAt } = proof;
  // An application that asked for a profile (GET /sso/authorize) gets no session: the code for the profile is issued below /x/sso.
  if (flow.isForProfile === true) {
    const cookies = [stageHandover(unit, flow, { kind: 'proof', proof })];
    return { location: `${settings().GATEHOUSE_BASE_URL}/x/sso/social?flow=${flow.id}`, cookies };
  }
  // A sign-in that began at the hosted pages continues there, with all their steps.
  const isOfPages = flow.provider !== provider;
  if (isOfPages) return toPages(flow, stageHandover(unit, flow, { kind: 'proof', proof }));
  const recognized = await recognize(unit, flow, origin, proof);
  if (recognized.kind === 'rejected') throw new SignInRejected(recognized);
  const grant = { environmentId, flow, method: 'oauth' as const, provider, oauthTokens: tokens, authenticatedAt };
  if (recognized.kind === 'no_email') {
    const { code } = await issueAuthorizationCode(unit, { ...grant, identity: recognized.identity });
    return { location: finishFlow(flow, code), cookies: [] };
  }
  const { attempt } = recognized;
  const signIn = await completeSignIn(unit, attempt);
  if (signIn.kind === 'rejected') throw new SignInRejected(signIn);
  if (signIn.kind === 'pending') {
    const { code, token, members } = signIn;
    const { email } = attempt.user;
    return toPages(flow, stageHandover(unit, flow, { kind: 'pending', code, token, members, email }));
  }
  // The unit of work writes the user's row, so that a concurrent removal or linking of accounts comes before or after it
  // and is never missed.
  const user = touchUserVersion(unit, signIn.user);
  const { code } = await issueAuthorizationCode(unit, { ...grant, user, verdict: signIn.verdict });
  return { location: finishFlow(flow, code), cookies: [] };
}

function toPages({ id }: AuthorizationRequest, cookie: string): Started {
  const query = new URLSearchParams({ flow: id });
  return { location: `${settings().GATEHOUSE_BASE_URL}/hosted/sign-in/social?${query.toString()}`, cookies: [cookie] };
}

/**
 * Emits the event of a failed sign-in, and returns the reason to the application. Returns undefined if the sign-in has
 * ended in the meantime.
 */
export async function fail(
  environmentId: string,
  flowId: string,
  origin: ClientContext,
  fault: {
    code: ProviderFault['code'] | SocialRejection | RejectionReason | 'temporarily_unavailable' | 'login_required';
    message: string;
  },
  email: string | null = null,
): Promise<Started | undefined> {
  await emitSocialFailure(environmentId, origin, fault, email);
  const flow = await loginFlow(environmentId, flowId);
  if (flow === undefined) return undefined;
  const { code, message } = fault;
  return { location: failFlow(flow, PUBLIC.get(code) ?? code, message), cookies: [] };
}

/** The error codes of RFC 6749 section 4.1.2.1 for the faults of providers. */
const PUBLIC: ReadonlyMap<string, string> = new Map([
  ['provider_refused', 'server_error'],
  ['provider_unavailable', 'temporarily_unavailable'],
  ['invalid_response', 'server_error'],
]);
