import type { JSONWebKeySet } from 'jose';

import { clock } from '../clock.ts';
import { EgressError } from '../egress/egress.ts';
import { egress } from '../egress/shared.ts';
import { parseJson } from '../json.ts';
import { log } from '../log.ts';
import { TtlCache } from '../memory.ts';

/** Time limit of the request in ms, and maximum bytes of a key set. */
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 65_536;
/** Milliseconds for which a key set is cached, and for which it is cached at least, whatever key a token names. */
const CACHED_MS = 300_000;
const FRESH_MS = 30_000;

interface Fetched {
  keys: JSONWebKeySet['keys'];
  fetchedAt: number;
}

/** Key sets by their address. */
const cached = new TtlCache<Fetched>(200);

/**
 * The public keys of another issuer (RFC 7517 section 5), fetched through the egress guard without redirects. A set that lacks the
 * key of a token is fetched again, at most every 30 seconds. None if the address does not respond with a set.
 * @param kid the key that the token names
 */
export async function findRemoteKeys(url: string, kid: string | undefined): Promise<JSONWebKeySet> {
  const known = cached.get(url);
  const isKnown = known?.keys.some((key) => kid === undefined || key.kid === kid) === true;
  if (known !== undefined && (isKnown || clock.now() - known.fetchedAt < FRESH_MS)) return { keys: known.keys };
  const keys = await fetchKeys(url);
  cached.set(url, { keys, fetchedAt: clock.now() }, CACHED_MS);
  return { keys };
}

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
