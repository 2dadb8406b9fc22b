import { clock } from '../../../kernel/clock.ts';
import { randomSecret, sha256Hex } from '../../../kernel/keys/hash.ts';
import { systemActor } from '../../../kernel/authentication/caller.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../../kernel/storage/record.ts';

/** Time in seconds for which a challenge is valid. A page that was open for longer gets a new one with its next form. */
export const CHALLENGE_SECONDS = 600;

/** A challenge that an authenticator has to sign. Its id is the challenge's SHA-256, so it is read by one GetItem. */
const ChallengeEntity = entity({
  model: model('passkey-challenge'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    purpose: { type: ['create', 'get'] as const, required: true },
    /** The SHA-256 of the page and browser to which the challenge was shown. */
    subject: { type: 'string', required: true },
    /** The user who registers a passkey, or whose second factor is required; absent while the user is not known. */
    userId: { type: 'string' },
    /** The handle for a new passkey. */
    userHandle: { type: 'string' },
  },
  indexes: { primary: recordKey('passkey-challenge') },
});

export type ChallengeRecord = RecordOf<typeof ChallengeEntity>;
export const challenges = collection(ChallengeEntity, 'internal');

/** The data of a new challenge. */
export interface NewChallenge {
  environmentId: string;
  purpose: 'create' | 'get';
  /** A text that only this page in this browser can repeat, such as its cookie with the id of the sign-in. */
  subject: string;
  userId?: string | undefined;
  userHandle?: string | undefined;
}

/**
 * Stores a new challenge of 32 random bytes, by one write of its own, since a page with errors commits nothing else.
 * @returns the challenge in base64url
 */
export async function storeChallenge({ environmentId, subject, ...content }: NewChallenge): Promise<string> {
  const challenge = randomSecret(32, 'base64url');
  const expiresAt = clock.seconds() + CHALLENGE_SECONDS;
  const row = { environmentId, id: sha256Hex(challenge), subject: sha256Hex(subject), expiresAt, ...content };
  await applyWork(environmentId, systemActor, async (unit) => unit.stage(challenges.create(row).write));
  return challenge;
}

/**
 * Reads a challenge by one GetItem. Returns undefined if it is unknown, used, expired, for another purpose, page, browser or
 * user.
 */
export async function findChallenge(
  environmentId: string,
  challenge: string,
  { purpose, subject, userId }: Pick<NewChallenge, 'purpose' | 'subject' | 'userId'>,
): Promise<ChallengeRecord | undefined> {
  const found = await challenges.get(environmentId, sha256Hex(challenge));
  if (found === undefined || (found.expiresAt ?? 0) <= clock.seconds()) return undefined;
  const isOwn = found.purpose === purpose && found.subject === sha256Hex(subject) && found.userId === userId;
  return isOwn ? found : undefined;
}
