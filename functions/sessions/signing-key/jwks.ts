import { createHash } from 'node:crypto';

import { publicKeyOf } from './certificate.ts';
import type { FormerKey, SigningKey } from './entity.ts';
import type { JsonWebKey } from './schema.ts';

/** A published key as a JWK (RFC 7517 section 4; RFC 7518 section 6.3.1). */
export function jwkOf({ kid, certificate }: SigningKey | FormerKey): JsonWebKey {
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
