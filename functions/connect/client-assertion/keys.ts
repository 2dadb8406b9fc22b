import { clock } from '../../kernel/clock.ts';
import { TtlCache } from '../../kernel/memory.ts';
import type { ApplicationRecord } from '../application/entity.ts';
import { fetchDocument } from '../remote/fetch-document.ts';
import { type Jwk, readKeys } from './rules.ts';

/** Maximum bytes of a key set. */
const MAX_BYTES = 32_768;
/** Milliseconds for which a key set is cached, and for which it is at least before a token with an unknown key fetches it again. */
const CACHED_MS = 300_000;
const FRESH_MS = 30_000;

/** Key sets by their address. */
const cached = new TtlCache<{ keys: readonly Jwk[]; fetchedAt: number }>(500);

async function fetchKeys(url: string): Promise<readonly Jwk[]> {
  const fetched = await fetchDocument(url, MAX_BYTES);
  const read = 'value' in fetched ? readKeys(fetched.value) : { keys: [] };
  const keys = 'keys' in read ? read.keys : [];
  cached.set(url, { keys, fetchedAt: clock.now() }, CACHED_MS);
  return keys;
}

/**
 * The keys of an application: its own, or those at the address that it names. A set that lacks the key of an assertion is
 * fetched again, at most every 30 seconds. None if the address does not respond with a set.
 */
export async function findClientKeys(
  { keys, keysUri }: Pick<ApplicationRecord, 'keys' | 'keysUri'>,
  kid: string | undefined,
): Promise<readonly Jwk[]> {
  if (keys !== undefined) return keys as Jwk[];
  if (keysUri === undefined) return [];
  const known = cached.get(keysUri);
  const isKnown = known?.keys.some((key) => kid === undefined || key.kid === kid) === true;
  const isFresh = known !== undefined && clock.now() - known.fetchedAt < FRESH_MS;
  return isKnown || isFresh ? known.keys : fetchKeys(keysUri);
}
