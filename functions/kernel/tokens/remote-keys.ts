import type { JSONWebKeySet } from 'jose';

import { EgressError } from '../egress/egress.ts';
import { egress } from '../egress/shared.ts';
import { parseJson } from '../json.ts';
import { log } from '../log.ts';
import { KeySetCache } from './key-set-cache.ts';

/** Time limit of the request in ms, and maximum bytes of a key set. */
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 65_536;
async function fetchKeys(url: string): Promise<JSONWebKeySet['keys']> {
  try {
    const { status, body } = await egress().send({ method: 'GET', url, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
    const { keys } = (status === 200 ? parseJson(Buffer.from(body).toString('utf8')) : {}) as { keys?: unknown };
    // A symmetric key is not public: its readers could sign with it.
    return Array.isArray(keys) ? (keys as JSONWebKeySet['keys']).filter(({ kty }) => kty !== 'oct') : [];
  } catch (error) {
    if (!(error instanceof EgressError) && !(error instanceof Error && error.name === 'JsonError')) throw error;
    log.info('the keys of an issuer were not fetched', { error });
    return [];
  }
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
