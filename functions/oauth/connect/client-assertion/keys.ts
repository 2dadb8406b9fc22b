import { KeySetCache } from '../../../kernel/tokens/key-set-cache.ts';
import type { ApplicationRecord } from '../application/entity.ts';
import { type Jwk, readKeys } from './rules.ts';

/** Maximum bytes of a key set. */
const MAX_BYTES = 32_768;

async function fetchKeys(url: string): Promise<readonly Jwk[]> {
  const { fetchDocument } = await import('../remote/apart.ts');
  const fetched = await fetchDocument(url, MAX_BYTES);
  const read = 'value' in fetched ? readKeys(fetched.value) : { keys: [] };
  return 'keys' in read ? read.keys : [];
}

const keySets = new KeySetCache<Jwk>(500, fetchKeys);

/**
 * Returns the public keys of an application: its own, or those of the key set at its URL. If the set lacks the key of an
 * assertion, it is fetched again, at most every 30 seconds. The list is empty if the URL does not respond with a key set.
 */
export async function findClientKeys(
  { keys, keysUri }: Pick<ApplicationRecord, 'keys' | 'keysUri'>,
  kid: string | undefined,
): Promise<readonly Jwk[]> {
  if (keys !== undefined) return keys as Jwk[];
  return keysUri === undefined ? [] : keySets.find(keysUri, kid);
}
