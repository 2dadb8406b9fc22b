import { createHash } from 'node:crypto';

import { TtlCache } from '../../kernel/memory.ts';
import { publicKeyOf } from './certificate.ts';
import type { FormerKey, SigningKey } from './entity.ts';
import type { JsonWebKey } from './schema.ts';

const known = new TtlCache<JsonWebKey>(100);

/**
 * Converts a published key to a JWK (RFC 7517 section 4; RFC 7518 section 6.3.1); cached, since the key of a kid never
 * changes.
 */
export function jwkOf(key: SigningKey | FormerKey): JsonWebKey {
  const jwk = known.get(key.kid) ?? newJwk(key);
  known.set(key.kid, jwk);
  return jwk;
}

function newJwk({ kid, certificate }: SigningKey | FormerKey): JsonWebKey {
  const { n = '', e = '' } = publicKeyOf(certificate).export({ format: 'jwk' });
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
