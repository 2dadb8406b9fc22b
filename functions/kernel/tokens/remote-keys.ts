import type { JSONWebKeySet } from 'jose';

import { log } from '../log.ts';
import { KeySetCache } from './key-set-cache.ts';

async function fetchKeys(url: string): Promise<JSONWebKeySet['keys']> {
  const { fetchKeySet } = await import('./apart.ts');
  const fetched = await fetchKeySet(url);
  if ('keys' in fetched) return fetched.keys;
  log.info('the keys of an issuer were not fetched', { error: fetched.error });
  return [];
}

const keySets = new KeySetCache(200, fetchKeys);

/**
 * The public keys of another issuer (RFC 7517 section 5), fetched through the egress guard without redirects. None if the address
 * does not respond with a set.
 * @param kid the key that the token names
 */
export const findRemoteKeys = async (url: string, kid: string | undefined): Promise<JSONWebKeySet> => ({
  keys: [...(await keySets.find(url, kid))],
});
