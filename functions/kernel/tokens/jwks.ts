import { createHash } from 'node:crypto';

import { LruMap } from '../memory.ts';
import { readPublicKey } from '../keys/certificate.ts';
import { clock } from '../clock.ts';
import type { FormerKey, SigningKey, SigningKeysRecord } from './key-set.ts';
import type { JsonWebKey } from './jwks-schema.ts';

const known = new LruMap<JsonWebKey>(100);

/**
 * The keys that verifiers may need at present: the signing key, the next one, and former ones whose tokens may still be
 * valid.
 */
export const publishedKeys = ({ current, next, former }: SigningKeysRecord): (SigningKey | FormerKey)[] => [
  current,
  next,
  ...former.filter(({ until }) => until > clock.now()),
];

/**
 * Converts a published key to a JWK (RFC 7517 section 4; RFC 7518 section 6.3.1); cached, since the key of a kid never
 * changes.
 */
export function makeJwk(key: SigningKey | FormerKey): JsonWebKey {
  const jwk = known.get(key.kid) ?? newJwk(key);
  known.set(key.kid, jwk);
  return jwk;
}

function newJwk({ kid, certificate }: SigningKey | FormerKey): JsonWebKey {
  const { n = '', e = '' } = readPublicKey(certificate).export({ format: 'jwk' });
  const thumbprint = createHash('sha256').update(certificate).digest('base64url');
  return {
    alg: 'RS256',
    kty: 'RSA',
    use: 'sig',
    x5c: [Buffer.from(certificate).toString('base64')],
    n,
    e,
    kid,
    'x5t#S256': thumbprint,
  };
}
