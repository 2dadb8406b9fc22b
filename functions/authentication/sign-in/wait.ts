import { clock } from '../../kernel/clock.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { type NewPending, stagePending, type Step } from '../pending-authentication/pending.ts';
import type { Attempt, SignIn } from './attempt.ts';

/** What a step is asked with. */
export interface Asked {
  challengeId?: string | undefined;
  /** What the contract tells beside code and token. */
  members: Readonly<Record<string, unknown>>;
}

/** Lets a sign-in wait for a step. */
export function waitFor(unit: Unit, attempt: Attempt, code: Step, { challengeId, members }: Asked): SignIn {
  const row: NewPending = {
    environmentId: attempt.environmentId,
    step: code,
    userId: attempt.user.id,
    method: attempt.method,
    provider: attempt.provider,
    organizationId: attempt.organizationId,
    mfa: attempt.proofs.mfa,
    device: attempt.proofs.device ?? false,
    client: attempt.client,
    flowId: attempt.flow?.record.id,
    deviceId: attempt.deviceId,
    authenticatedAt: attempt.authenticatedAt ?? clock.now(),
    challengeId,
  };
  const { invitationToken, identity } = attempt;
  const pending = stagePending(unit, row, { invitationToken, identity });
  return { kind: 'pending', code, token: pending.token, members, pending };
}
