import { readKey } from '../../kernel/authentication/secret-key.ts';
import { clock } from '../../kernel/clock.ts';
import { constantTimeEqual } from '../../kernel/keys/hash.ts';
import { log } from '../../kernel/log.ts';
import { TtlCache } from '../../kernel/memory.ts';
import { isAlive, type KeyHolder } from '../owner/alive.ts';
import { type ApiKeyRecord, apiKeys, stampUse } from './entity.ts';
import { hasEnded } from './rules.ts';

/**
 * Prefix of customers' keys. Environment keys have a different one (`sk_env_`), so that each kind is rejected where the
 * other is required by its prefix, without a read.
 */
export const CUSTOMER_KEY_PREFIX = 'sk_api_';

/** Minimum interval in ms between two updates of the last use of a key. */
const STAMP_EVERY_MS = 60_000;

/** The immutable part of a key that this instance found valid, and the time at which its last use was stored. */
interface Seen extends KeyHolder {
  stampedAt: number;
}

/** The key contains environment and hash, so that a result for a valid key never applies to a guess. */
const seen = new TtlCache<Seen>(10_000);

/**
 * Returns the key for a value, or undefined if it is malformed, unknown, expired or revoked, or if its holder was deleted.
 * It costs one strongly consistent GetItem: the value names its row, whose hash is compared in constant time. The row is
 * not cached, so an expiry or a revocation takes effect at once. For a key that this instance has seen before, the check of
 * its holder (every five seconds) and the update of its last use (every minute) run in parallel; otherwise they follow the
 * read.
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
 * Stores the use of a key unless that was done within the last minute. A failure of this write does not fail the response.
 * The write is awaited, because Lambda freezes work that is still running after the response.
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
