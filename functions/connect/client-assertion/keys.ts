import { clock } from '../../kernel/clock.ts';
import { TtlCache } from '../../kernel/memory.ts';
import type { ApplicationRecord } from '../application/entity.ts';
import { fetchDocument } from '../remote/fetch-document.ts';
import { type Jwk, readKeys } from './rules.ts';

/** Maximum bytes of a key set. */
const MAX_BYTES = 32_768;
/** A key set is cached for CACHED_MS. An assertion with an unknown key fetches it again if it is older than FRESH_MS. */
const CACHED_MS = 300_000;
const FRESH_MS = 30_000;

/** Caches key sets by their URLs. */
const cached = new TtlCache<{ keys: readonly Jwk[]; fetchedAt: number }>(500);

async function fetchKeys(url: string): Promise<readonly Jwk[]> {
  const fetched = await fetchDocument(url, MAX_BYTES);
  const read = 'value' in fetched ? readKeys(fetched.value) : { keys: [] };
  const keys = 'keys' in read ? read.keys : [];
  cached.set(url, { keys, fetchedAt: clock.now() }, CACHED_MS);
  return keys;
}

/**
 * Returns the public keys of an application: its own, or those of the key set at its URL. If the set lacks the key of an
 * assertion, it is fetched again, at most every 30 seconds. The list is empty if the URL does not respond with a key set.
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
