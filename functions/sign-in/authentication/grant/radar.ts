import { checkRadarChallenge, type RadarBinding } from '../../../proofs/radar/public.ts';
import { type Pending, type Step, usePending } from '../../modules/sign-in-flows/public.ts';
import type { Attempt } from '../../modules/sign-in/public.ts';
import { finishSignIn } from './finish-sign-in.ts';
import type { GrantContext } from './context.ts';
import { resume } from './continuation.ts';
import { phoneNumberRequired, userMismatch, verificationIdRequired } from './errors.ts';
import { codeError } from './one-time-code.ts';
import type { AuthenticateResponse, RadarEmail, RadarSms } from './schema.ts';

/** The grant for the code that was mailed because the device is new. */
export async function radarEmailGrant(context: GrantContext, body: RadarEmail): Promise<AuthenticateResponse> {
  const { pending, attempt } = await resume(context, body.pending_authentication_token, ['radar_challenge']);
  if (pending.record.challengeId !== body.radar_challenge_id) throw context.fail(userMismatch);
  return prove(context, { pending, attempt, id: body.radar_challenge_id, code: body.code });
}

const SMS_STEPS = ['radar_sign_up_challenge', 'radar_sms_sign_in_challenge'] as const satisfies readonly Step[];

/**
 * The grant for the code that was sent to a phone number because the device is new. For a proven phone number the pending
 * sign-in has the challenge; for a new account the caller names the challenge and the phone number.
 */
export async function radarSmsGrant(context: GrantContext, body: RadarSms): Promise<AuthenticateResponse> {
  const { fail } = context;
  const { pending, attempt } = await resume(context, body.pending_authentication_token, SMS_STEPS);
  const { code, verification_id: named, phone_number: phoneNumber } = body;
  const { step, challengeId = '' } = pending.record;
  if (step === 'radar_sms_sign_in_challenge') return prove(context, { pending, attempt, id: challengeId, code });
  if (named === undefined) throw fail(verificationIdRequired);
  if (phoneNumber === undefined) throw fail(phoneNumberRequired);
  return prove(context, { pending, attempt, id: named, code, phoneNumber });
}

interface Entered {
  pending: Pending;
  attempt: Attempt;
  /** The id of the challenge. */
  id: string;
  code: string;
  phoneNumber?: string;
}

async function prove(
  context: GrantContext,
  { pending, attempt, id, code, phoneNumber }: Entered,
): Promise<AuthenticateResponse> {
  const { environmentId, unit, fail } = context;
  const binding: RadarBinding = { userId: attempt.user.id, pendingToken: pending.token, phoneNumber };
  const outcome = await checkRadarChallenge(unit, environmentId, id, code, binding);
  if (outcome === 'not_found') throw fail(userMismatch);
  if (outcome !== 'valid') throw fail(codeError(outcome));
  usePending(unit, pending);
  return finishSignIn(context, { ...attempt, proofs: { ...attempt.proofs, device: true } });
}
