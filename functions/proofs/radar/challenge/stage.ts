import { findEnvironment } from '../../../kernel/authentication/environment.ts';
import { clock } from '../../../kernel/clock.ts';
import { Failure, general } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { sha256Hex } from '../../../kernel/keys/hash.ts';
import { consume, tooMany } from '../../../kernel/limits/counter.ts';
import { findLimit } from '../../../kernel/limits/named-limits.ts';
import { composeMessage } from '../../../kernel/messages/compose.ts';
import { consumeSms } from '../../../kernel/messages/sms-allowance.ts';
import { radarChallengeMail } from '../../../kernel/messages/templates/radar-challenge.ts';
import { smsCode } from '../../../kernel/messages/templates/sms-code.ts';
import { CODE_SECONDS, sealedPartOf } from '../../../kernel/one-time-code/code.ts';
import type { CodeSubject, CurrentCode } from '../../../kernel/one-time-code/entity.ts';
import { stageCode } from '../../../kernel/one-time-code/stage.ts';
import { sendCode } from '../../../kernel/one-time-code/send.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { type RadarChallengeRecord, radarChallenges, smsAdmissions } from './entity.ts';

/** The user of a challenge, with the members that Radar needs. */
export interface ChallengedUser {
  id: string;
  email: string;
  /** The reader's language (BCP 47). */
  locale?: string | undefined;
}

/** A challenge to be created, and the recipient of its code. */
export type WantedRadarChallenge = { environmentId: string; user: ChallengedUser } & (
  | { kind: 'email' }
  /**
   * A challenge by SMS: `phoneNumber` is in E.164 form; `pendingToken` binds the challenge to the sign-in that named the
   * number, and `clientAddress` is the address of that client. A number without a token must be one that the user has
   * proven. `host` is that of the page on which the code is entered, if it is a page of this service.
   */
  | {
      kind: 'sms';
      phoneNumber: string;
      pendingToken?: string | undefined;
      clientAddress?: string | undefined;
      host?: string | undefined;
    }
);

/** The subject of a user's current code: a new one invalidates the previous one of its kind. */
export const codePlace = (environmentId: string, kind: 'email' | 'sms', userId: string): CodeSubject => ({
  environmentId,
  purpose: `radar-${kind}`,
  subject: userId,
});

/**
 * Sends a user the code that a risky sign-in requires, and invalidates the previous one of its kind. A challenge by
 * mail is a record that callers can read, and emits an event.
 * @throws Failure 429: too many were sent to the user, to the number or in the environment; KeyError without KMS
 */
export async function stageRadarChallenge(
  unit: Unit<'radar.challenge_created'>,
  wanted: WantedRadarChallenge,
): Promise<RadarChallengeRecord> {
  if (wanted.kind === 'sms') return stageSmsChallenge(unit, wanted);
  const { environmentId, user } = wanted;
  const id = newId('radar_challenge');
  const current = await sendCode(
    unit,
    codePlace(environmentId, 'email', user.id),
    { codeId: id, owner: ownerKey('user', user.id) },
    {
      to: user.email,
      template: radarChallengeMail,
      locale: user.locale,
      count: () => countCode(unit, environmentId, user.id),
    },
  );
  const record = stageChallenge(unit, current, wanted, { email: user.email });
  unit.emit('radar.challenge_created', {
    type: 'email',
    radar_challenge_id: id,
    user_id: user.id,
    email: user.email,
  });
  return record;
}

/**
 * Sends a code again to the recipient of an earlier challenge, as a new challenge, which invalidates that one.
 * @returns undefined if the user has no such challenge
 * @throws Failure 429 as {@link stageRadarChallenge}
 */
export async function stageRadarChallengeAgain(
  unit: Unit<'radar.challenge_created'>,
  { environmentId, id }: { environmentId: string; id: string },
  user: ChallengedUser,
  host: string,
): Promise<RadarChallengeRecord | undefined> {
  const former = await radarChallenges.get(environmentId, id);
  if (former?.userId !== user.id) return undefined;
  const { kind, phoneNumber } = former;
  if (kind === 'email') return stageRadarChallenge(unit, { environmentId, user, kind });
  if (phoneNumber === undefined) return undefined;
  return stageSmsChallenge(unit, { environmentId, user, kind, phoneNumber, host });
}

/** Stages a challenge by SMS, which emits no event. */
export async function stageSmsChallenge(
  unit: Unit<never>,
  wanted: Extract<WantedRadarChallenge, { kind: 'sms' }>,
): Promise<RadarChallengeRecord> {
  const { environmentId, user, phoneNumber, pendingToken, clientAddress, host } = wanted;
  await countCode(unit, environmentId, user.id);
  const allowance = await consumeSms(unit, environmentId, {
    phoneNumber,
    isProven: pendingToken === undefined,
    clientAddress,
  });
  if (!allowance.allowed) throw new Failure(general.tooManyRequests, { retryAfter: allowance.retryAfterSeconds });
  const pendingHash = pendingToken === undefined ? undefined : sha256Hex(pendingToken);
  const owner = ownerKey('user', user.id);
  const place = codePlace(environmentId, 'sms', user.id);
  const { code, record: current } = await stageCode(unit, place, { codeId: newId('vrf'), owner });
  const message = await composeMessage({
    environmentId,
    channel: 'sms',
    to: phoneNumber,
    template: smsCode,
    values: { code, host },
    locale: user.locale,
    owner,
    usefulSeconds: CODE_SECONDS,
  });
  unit.stage(message);
  return stageChallenge(unit, current, wanted, { phoneNumber, pendingHash });
}

/** Stages the challenge of a code. */
function stageChallenge(
  unit: Unit<never>,
  current: CurrentCode,
  { environmentId, user, kind }: WantedRadarChallenge,
  content: { email?: string; phoneNumber?: string; pendingHash?: string | undefined },
): RadarChallengeRecord {
  const owner = ownerKey('user', user.id);
  const fields = { environmentId, id: current.codeId, owner, kind, userId: user.id, ...sealedPartOf(current) };
  const { record, write } = radarChallenges.create({ ...fields, ...content }, current.updatedAt);
  unit.stage(write);
  return record;
}

/** Counts a code for a user before it is sent, also by SMS, since the user may enter one number after another. */
async function countCode(unit: Unit<never>, environmentId: string, userId: string): Promise<void> {
  const settings: unknown = (await findEnvironment(environmentId))?.settings;
  for (const name of ['radar-challenge.user', 'radar-challenge.user.daily'] as const) {
    const limit = findLimit(name, settings);
    if (limit === undefined) continue;
    const verdict = await unit.once(`${name}#${userId}`, () => consume(environmentId, { name, key: userId }, limit));
    if (!verdict.allowed) throw tooMany(verdict);
  }
}

/**
 * Permits a pending sign-in to have a code sent to a phone number that its user enters, by POST
 * /user_management/radar_challenges. It is staged with the token of a `radar_sign_up_challenge`, and is valid for the
 * ten minutes of that token.
 */
export function admitSmsChallenge(
  unit: Unit<never>,
  { environmentId, userId, pendingToken }: { environmentId: string; userId: string; pendingToken: string },
): void {
  const { write } = smsAdmissions.create({
    environmentId,
    id: sha256Hex(pendingToken),
    owner: ownerKey('user', userId),
    userId,
    expiresAt: clock.seconds() + CODE_SECONDS,
  });
  unit.stage(write);
}
