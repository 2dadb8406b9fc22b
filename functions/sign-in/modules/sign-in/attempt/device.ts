import { awaitAll } from '../../../../kernel/concurrency.ts';
import { findPagesHost } from '../../../../kernel/pages/host.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import { admitSmsChallenge, findRadarPhone, stageRadarChallenge } from '../../../../proofs/radar/public.ts';
import type { SignInSettings } from '../../../../proofs/modules/email-proofs/public.ts';
import { isKnownDevice, recordDevice } from '../../../../tenancy/modules/known-devices/public.ts';
import type { Attempt, RejectedSignIn, Waiting } from './attempt.ts';
import { usableFactors } from './prefetch.ts';
import { asksSecondFactor, emitRisk } from '../../../../proofs/modules/sign-in-checks/public.ts';
import { rejectWhenRateLimited, waitFor } from './wait.ts';

/**
 * Requires a code if the environment challenges devices with which the user has not signed in before, or if Radar requires
 * one for this sign-in. A user who has passed a second factor, or has just proven access to the mailbox, needs no further
 * proof. Returns undefined if no code is required. A phone number is only used if it is proven, or at the very first
 * sign-in, as a protection against automated sign-ups. Later, a number that the caller chooses would prove nothing, so the
 * code is mailed.
 */
export async function askAboutDevice(
  unit: Unit,
  attempt: Attempt,
  { new_device: policy }: SignInSettings,
  { isClaimed }: { isClaimed: boolean },
): Promise<Waiting | RejectedSignIn | undefined> {
  const { environmentId, user, method, proofs } = attempt;
  const isRisky = attempt.risk?.verdict === 'challenge';
  if ((policy === 'allow' && !isRisky) || !asksSecondFactor(method) || proofs.mfa || proofs.device) return undefined;
  const [isKnown, phoneNumber] = await awaitAll([
    policy === 'allow' || isKnownDevice(environmentId, user.id, attempt),
    // The first proof of an address removes the phone number of an earlier owner of the account.
    policy === 'sms_challenge' && !isClaimed ? findPhone(environmentId, user.id) : undefined,
  ]);
  if (isKnown && !isRisky) return undefined;
  const isFirst = user.lastSignInAt === undefined;
  if (phoneNumber !== undefined) return challengeBySms(unit, attempt, phoneNumber);
  if (isFirst && policy === 'sms_challenge') return checkPhoneNumber(unit, attempt);
  const hasReadMail = method === 'magic_code' || proofs.emailVerified;
  return (isFirst && !isRisky) || hasReadMail ? undefined : challengeByMail(unit, attempt);
}

/**
 * The write that stores the device of a complete sign-in. If the environment challenges no devices, the device is stored
 * only if it has an id of its own: its owner can then sign in while other clients use up the limits of the address.
 */
export const recordSignInDevice = ({ new_device: policy }: SignInSettings, attempt: Attempt) =>
  policy === 'allow' && attempt.deviceId === undefined
    ? undefined
    : recordDevice(attempt.environmentId, attempt.user.id, attempt);

/** The control that requires a code: one of Radar's, otherwise the challenge of new devices. */
const findCause = ({ risk }: Attempt) =>
  risk?.verdict === 'challenge' ? risk : { control: 'unrecognized_device', blocklistType: undefined };

/** The user's proven phone number. */
async function findPhone(environmentId: string, userId: string): Promise<string | undefined> {
  const [phone, factors] = await awaitAll([
    findRadarPhone(environmentId, userId),
    usableFactors(environmentId, userId),
  ]);
  return phone ?? factors.find(({ type }) => type === 'sms')?.phoneNumber;
}

async function challengeBySms(unit: Unit, attempt: Attempt, phoneNumber: string): Promise<Waiting | RejectedSignIn> {
  const { environmentId, user } = attempt;
  const challenge = await rejectWhenRateLimited(() =>
    stageRadarChallenge(unit, {
      environmentId,
      user,
      kind: 'sms',
      phoneNumber,
      host: attempt.flow && findPagesHost(),
    }),
  );
  if (challenge.kind === 'rejected') return challenge;
  emitRisk(unit, attempt, 'login', findCause(attempt));
  return waitFor(unit, attempt, 'radar_sms_sign_in_challenge', { challengeId: challenge.id, members: {} });
}

async function challengeByMail(unit: Unit, attempt: Attempt): Promise<Waiting | RejectedSignIn> {
  const { environmentId, user } = attempt;
  const challenge = await rejectWhenRateLimited(() =>
    stageRadarChallenge(unit, { environmentId, user, kind: 'email' }),
  );
  if (challenge.kind === 'rejected') return challenge;
  emitRisk(unit, attempt, 'login', findCause(attempt));
  return waitFor(unit, attempt, 'radar_challenge', {
    challengeId: challenge.id,
    members: { radar_challenge_id: challenge.id },
  });
}

function checkPhoneNumber(unit: Unit, attempt: Attempt): Waiting {
  const waiting = waitFor(unit, attempt, 'radar_sign_up_challenge', { members: {} });
  const { environmentId, user } = attempt;
  admitSmsChallenge(unit, { environmentId, userId: user.id, pendingToken: waiting.token });
  emitRisk(unit, attempt, 'signup', findCause(attempt));
  return waiting;
}
