import { clock } from '../../../../kernel/clock.ts';
import { Failure } from '../../../../kernel/errors.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import { stageSignInAttempt } from '../../../../proofs/radar/public.ts';
import { type NewPending, stagePending, type Step } from '../../sign-in-flows/public.ts';
import type { Attempt, RejectedSignIn, Waiting } from './attempt.ts';
import { readAuthority } from './authority.ts';

/** The data of a requested step. */
export interface Asked {
  challengeId?: string | undefined;
  /** Further members of the contract's error for this step. */
  members: Readonly<Record<string, unknown>>;
}

/** Stages the pending sign-in that a step continues. */
export function waitFor(unit: Unit, attempt: Attempt, code: Step, { challengeId, members }: Asked): Waiting {
  const row: NewPending = {
    environmentId: attempt.environmentId,
    step: code,
    userId: attempt.user.id,
    method: attempt.method,
    provider: attempt.provider,
    organizationId: attempt.organizationId,
    ssoOrganizationId: attempt.ssoOrganizationId,
    proofs: readAuthority(attempt),
    mfa: attempt.proofs.mfa,
    device: attempt.proofs.device ?? false,
    needsFactor: attempt.needsFactor,
    client: attempt.client,
    flowId: attempt.flow?.record.id,
    deviceId: attempt.deviceId,
    authenticatedAt: attempt.authenticatedAt ?? clock.now(),
    challengeId,
    radarAttemptId: attempt.risk?.attempt?.record.id ?? attempt.radarAttemptId,
    credentialEpoch: attempt.user.credentialEpoch ?? 0,
  };
  const { invitationToken, identity, oauthTokens } = attempt;
  const isAddressProved = identity?.isAddressProved === true || attempt.proofs.emailVerified;
  const secrets = { invitationToken, oauthTokens, identity: identity && { ...identity, isAddressProved } };
  if (attempt.risk !== undefined) stageSignInAttempt(unit, attempt.risk, { userId: attempt.user.id, isSuccess: false });
  const pending = stagePending(unit, row, secrets);
  return { kind: 'pending', code, token: pending.token, members, pending };
}

/** Sends a code, or rejects the sign-in if a limit is exceeded. */
export async function rejectWhenRateLimited<T extends object>(send: () => Promise<T>): Promise<T | RejectedSignIn> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof Failure) || error.declared.status !== 429) throw error;
    return { kind: 'rejected', code: 'too_many_requests', retryAfterSeconds: error.details.retryAfter ?? 60 };
  }
}
