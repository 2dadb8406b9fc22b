import type { JSONWebKeySet } from 'jose';

import { EgressError } from '../egress/egress.ts';
import { egress } from '../egress/shared.ts';
import { parseJson } from '../json.ts';

/** Time limit of the request in ms, and maximum bytes of a key set. */
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 65_536;

/**
 * Fetches the public keys of another issuer (RFC 7517 section 5) through the egress guard, without redirects. The guard with
 * its table of addresses is some 25 KiB, which a deployed function loads as a separate file with the first fetch
 * (`lib/stack/apart.ts`).
 * @returns the keys, none for a response that is not a key set; or the error of the request
 */
export async function fetchKeySet(url: string): Promise<{ keys: JSONWebKeySet['keys'] } | { error: Error }> {
  try {
    const { status, body } = await egress().send({ method: 'GET', url, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
    const { keys } = (status === 200 ? parseJson(Buffer.from(body).toString('utf8')) : {}) as { keys?: unknown };
    // A symmetric key is not public: its readers could sign with it.
    return { keys: Array.isArray(keys) ? (keys as JSONWebKeySet['keys']).filter(({ kty }) => kty !== 'oct') : [] };
  } catch (error) {
    if (error instanceof EgressError || (error instanceof Error && error.name === 'JsonError')) return { error };
    throw error;
  }
}
