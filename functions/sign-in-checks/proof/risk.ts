import { assessSignIn, type SignInRisk, stageSignInAttempt } from '../../radar/public.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import type { Method } from './method.ts';
import type { ClientContext } from '../../known-devices/public.ts';

/** The names of first proofs in events and attempts of Radar. */
export const RADAR_METHODS = { password: 'Password', magic_code: 'Email_OTP', oauth: 'Social' } as const;

/** The message of a sign-in that Radar blocks. The reason is at the attempt, and in no response. */
export const BLOCKED_MESSAGE = 'The sign-in was rejected by the rules of the environment.';

/** A sign-in before its first proof. */
export interface RiskySignIn {
  environmentId: string;
  email: string;
  method: Method;
  origin: ClientContext;
  /** Of the script of Radar. */
  signalsId?: string | undefined;
  /** The attempt that an earlier call has counted. */
  attemptId?: string | undefined;
}

/**
 * Asks Radar about a sign-in, in parallel with the counters of the sign-in. `block` must be rejected as slowly as a
 * wrong proof; `challenge` is required after the proof. Undefined if the settings ask nothing.
 */
export const assessRisk = (unit: Unit, { environmentId, email, method, origin, ...given }: RiskySignIn) =>
  assessSignIn(
    unit,
    {
      environmentId,
      action: 'sign-in',
      method: RADAR_METHODS[method as keyof typeof RADAR_METHODS] ?? 'Other',
      email,
      ipAddress: origin.countedAddress ?? null,
      userAgent: origin.userAgent,
      device: origin.deviceId,
      signalsId: given.signalsId,
    },
    given.attemptId,
  );

/**
 * Stages that a sign-in failed, and, if Radar blocks it, `authentication.radar_risk_detected` for a user who exists:
 * the event names the user. The caller commits it with the failure.
 */
export function stageFailedRisk(
  unit: Unit,
  risk: SignInRisk | undefined,
  { method, origin, user }: { method: Method; origin: ClientContext; user: { id: string; email: string } | undefined },
): void {
  if (risk === undefined) return;
  stageSignInAttempt(unit, risk, { userId: user?.id, isSuccess: false });
  if (risk.verdict === 'block' && user !== undefined) emitRisk(unit, { method, ...origin, user }, 'login', risk);
}

/** Emits `authentication.radar_risk_detected`. */
export function emitRisk(
  unit: Pick<Unit, 'emit'>,
  {
    method,
    ipAddress,
    userAgent,
    user,
  }: Pick<ClientContext, 'ipAddress' | 'userAgent'> & {
    method: Method;
    user: { id: string; email: string };
  },
  action: 'login' | 'signup',
  { control, blocklistType }: { control?: string | undefined; blocklistType?: string | undefined },
): void {
  unit.emit('authentication.radar_risk_detected', {
    auth_method: RADAR_METHODS[method as keyof typeof RADAR_METHODS] ?? 'Other',
    action,
    control: control ?? null,
    blocklist_type: blocklistType ?? null,
    ip_address: ipAddress,
    user_agent: userAgent,
    user_id: user.id,
    email: user.email,
  });
}
