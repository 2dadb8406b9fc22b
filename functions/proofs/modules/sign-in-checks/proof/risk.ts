import { assessSignIn, type SignInRisk, stageSignInAttempt } from '../../../radar/public.ts';
import { systemActor } from '../../../../kernel/authentication/caller.ts';
import { applyWork } from '../../../../kernel/storage/background.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import type { Method } from './method.ts';
import type { ClientContext } from '../../../../tenancy/modules/known-devices/public.ts';

/** The names of first proofs in events and in attempts of Radar. */
const RADAR_METHODS = {
  password: 'Password',
  magic_code: 'Email_OTP',
  oauth: 'Social',
  sso: 'SSO',
  passkey: 'Passkey',
} as const;

/** The message of a sign-in that Radar blocks. The reason is stored with the attempt and is in no response. */
export const BLOCKED_MESSAGE = 'The sign-in was rejected by the rules of the environment.';

/** A sign-in before its first proof. */
export interface RiskySignIn {
  environmentId: string;
  email: string;
  method: Method;
  origin: ClientContext;
  /** An identifier from Radar's script in the browser. */
  signalsId?: string | undefined;
  /** The id of the attempt that an earlier call has counted. */
  attemptId?: string | undefined;
}

/**
 * Has Radar assess a sign-in, in parallel with the counters of the sign-in. With the verdict `block` it must be rejected as
 * slowly as after a wrong proof; with `challenge` a code is required after the proof. Returns undefined if the settings do
 * not enable Radar.
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
      place: origin.place && { ...origin.place, source: 'CloudFront' },
      signalsId: given.signalsId,
    },
    given.attemptId,
  );

/**
 * Stages the failure of a sign-in and, if Radar blocks it and the user exists, `authentication.radar_risk_detected`, whose
 * event names the user. The caller commits both with its rejection.
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

/**
 * Has Radar assess a sign-in that a provider or a connection has confirmed, once a unit of work. A blocked one is stored
 * with its event at once, because the caller does not commit its unit of work.
 * @param user the user, if there was one before this sign-in
 */
export async function assessConfirmedSignIn(
  unit: Unit,
  signIn: Omit<RiskySignIn, 'signalsId' | 'attemptId'> & { user: { id: string; email: string } | undefined },
): Promise<SignInRisk | 'blocked' | undefined> {
  const { environmentId, method, origin, user } = signIn;
  const risk = await assessRisk(unit, signIn);
  if (risk?.verdict !== 'block') return risk;
  await unit.once('radar.blocked', () =>
    applyWork(environmentId, systemActor, async (own: Unit) => stageFailedRisk(own, risk, { method, origin, user })),
  );
  return 'blocked';
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
