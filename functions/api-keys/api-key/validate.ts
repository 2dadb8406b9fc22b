import { readKey } from '../../kernel/authentication/secret-key.ts';
import { clock } from '../../kernel/clock.ts';
import { constantTimeEqual } from '../../kernel/keys/hash.ts';
import { log } from '../../kernel/log.ts';
import { Memory } from '../../kernel/memory.ts';
import { isAlive, type KeyHolder } from '../owner/alive.ts';
import { type ApiKeyRecord, apiKeys, stampUse } from './entity.ts';
import { hasEnded } from './rules.ts';

/**
 * Prefix of customers' keys. Environment keys have another (`sk_env_`), so one is rejected as the other by its shape
 * only, without a read.
 */
export const CUSTOMER_KEY_PREFIX = 'sk_api_';

/** How often a key's use is written down at most. */
const STAMP_EVERY_MS = 60_000;

/** What never changes of a key that was found valid here, and when its use was last written down. */
interface Seen extends KeyHolder {
  stampedAt: number;
}

/** By environment and hash: what was seen of a true value says nothing of a guess at it. */
const seen = new Memory<Seen>(10_000);

/**
 * The key of a value, or undefined for one that is malformed, unknown, ended, revoked, or whose holder is gone.
 *
 * One strongly consistent GetItem: the value names its row, the row's hash is compared in constant time. Nothing of the
 * row is remembered, so an end or a revocation counts at once. In addition read and at the same time go, for a key that
 * this instance has seen before, the look at its holder (each five seconds) and the stamp of its use (each
 * minute); for one it has not, they follow the read.
 */
export async function validate(environmentId: string, value: string): Promise<ApiKeyRecord | undefined> {
  const read = readKey(CUSTOMER_KEY_PREFIX, value);
  if (read === undefined) return undefined;
  const key = { id: `api_key_${read.ulid}`, hash: read.hash };
  const place = `${environmentId}#${key.hash}`;
  const known = seen.get(place);
  const [record, isOwned] = await Promise.all([
    apiKeys.get(environmentId, key.id),
    known && isAlive(environmentId, known),
    known && stamp(environmentId, key, known),
  ]);
  if (record === undefined || !constantTimeEqual(record.hash, key.hash)) return undefined;
  if (hasEnded(record.endsAt, clock.now())) return undefined;
  if (known !== undefined) return isOwned ? record : undefined;
  const stampedAt = record.lastUsedAt === undefined ? -Infinity : Date.parse(record.lastUsedAt);
  const { organizationId, userId, ownershipEpoch } = record;
  const found = { organizationId, userId, ownershipEpoch, stampedAt };
  if (!(await isAlive(environmentId, found))) return undefined;
  seen.set(place, found);
  await stamp(environmentId, key, found);
  return record;
}

/**
 * Writes down a key's use unless that was done within the last minute; a failure costs the stamp, not the answer. It is
 * waited for: what a Lambda function leaves running when it answers is frozen with it.
 */
async function stamp(environmentId: string, key: { id: string; hash: string }, known: Seen): Promise<void> {
  const now = clock.now();
  if (now - known.stampedAt < STAMP_EVERY_MS) return;
  known.stampedAt = now;
  const before = new Date(now - STAMP_EVERY_MS).toISOString();
  try {
    await stampUse(environmentId, key, { now: new Date(now).toISOString(), before });
  } catch (error) {
    log.warn('the use of an API key was not written down', { api_key_id: key.id, error });
  }
}
