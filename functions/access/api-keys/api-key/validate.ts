import { readKey } from '../../../kernel/authentication/secret-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { constantTimeEqual } from '../../../kernel/keys/hash.ts';
import { LruMap } from '../../../kernel/memory.ts';
import { type LastStamp, readLastStamp, stampUse } from '../../../kernel/storage/last-use.ts';
import type { Holder, HolderState } from '../../modules/credential-holders/public.ts';
import { findKeyHolder, makeHolder } from '../owner/holder-state.ts';
import { type ApiKeyRecord, apiKeys } from './entity.ts';
import { hasEnded } from './rules.ts';

/**
 * Prefix of customers' keys. Environment keys have a different one (`sk_env_`), so that each kind is rejected where the
 * other is required by its prefix, without a read.
 */
export const CUSTOMER_KEY_PREFIX = 'sk_api_';

/** The immutable part of a key that this instance found valid, and the time of the last stamp of its use. */
interface Seen extends LastStamp {
  holder: Holder;
}

/** The key contains environment and hash, so that a result for a valid key never applies to a guess. */
const seen = new LruMap<Seen>(10_000);

/**
 * Returns the key for a value, or undefined if it is malformed, unknown, expired or revoked, or if what justified it has
 * ended ({@link findKeyHolder}). The permissions of a user's key are limited to those that the user has now. It costs one strongly consistent GetItem: the value names its row, whose hash is compared in constant time. The row is
 * not cached, so an expiry or a revocation takes effect at once. For a key that this instance has seen before, the check of
 * its holder (every five seconds) and the update of its last use (every minute) run in parallel; otherwise they follow the
 * read.
 */
export async function validate(environmentId: string, value: string): Promise<ApiKeyRecord | undefined> {
  const read = readKey(CUSTOMER_KEY_PREFIX, value);
  if (read === undefined) return undefined;
  const key = { environmentId, id: `api_key_${read.ulid}`, hash: read.hash };
  const place = `${environmentId}#${key.hash}`;
  const known = seen.get(place);
  const [record, knownState] = await awaitAll([
    apiKeys.get(environmentId, key.id),
    known && findKeyHolder(environmentId, known.holder),
    known && stampUse(apiKeys, key, known),
  ]);
  if (record === undefined || !constantTimeEqual(record.hash, key.hash)) return undefined;
  if (hasEnded(record.endsAt, clock.now())) return undefined;
  if (known !== undefined) return knownState && limit(record, knownState);
  const holder = makeHolder(record);
  const holderState = holder && (await findKeyHolder(environmentId, holder));
  if (holder === undefined || holderState === undefined) return undefined;
  const found = { holder, ...readLastStamp(record) };
  seen.set(place, found);
  await stampUse(apiKeys, key, found);
  return limit(record, holderState);
}

/** A key with only those permissions that its user has in the organization now. */
const limit = (key: ApiKeyRecord, { permissions: held }: HolderState): ApiKeyRecord => {
  if (held === undefined) return key;
  const { permissions, permissionIds } = key;
  const kept = { ...key, permissions: permissions.filter((slug) => held.has(slug)) };
  if (permissionIds !== undefined)
    kept.permissionIds = permissionIds.filter((_, at) => held.has(permissions[at] ?? ''));
  return kept;
};
