import { JwtVerifier } from 'aws-jwt-verify';

import { clientIdOf } from '../../kernel/authentication/api-key.ts';
import { environmentOf } from '../../kernel/authentication/environment.ts';
import { clock } from '../../kernel/clock.ts';
import { jwkOf } from '../signing-key/jwks.ts';
import { publishedOf } from '../signing-key/keys.ts';
import { signingKeysOf } from '../signing-key/entity.ts';
import { type Claims, issuerOf, TOKEN_TYPE } from './claims.ts';

/** The claims that every verified access token has. */
export type VerifiedClaims = Claims & { sub: string; sid: string; jti: string; exp: number; iat: number };

/**
 * Verifies an access token of this environment and returns its claims; undefined for another issuer, audience or `typ`,
 * an algorithm other than RS256, an unpublished key, or an expired token. Two strongly consistent GetItems, of which
 * the environment's is cached. It does not check whether the session is still live: use `sessionOf`.
 */
export async function verifyAccessToken(environmentId: string, token: string): Promise<VerifiedClaims | undefined> {
  const [environment, keys] = await Promise.all([environmentOf(environmentId), signingKeysOf(environmentId)]);
  if (environment === undefined || keys === undefined) return undefined;
  const issuer = issuerOf(environment);
  const verifier = JwtVerifier.create({ issuer, audience: clientIdOf(environmentId), jwksUri: `${issuer}/jwks` });
  verifier.cacheJwks({ keys: publishedOf(keys).map(jwkOf) });
  try {
    const claims = verifier.verifySync(token, {
      customJwtCheck: ({ header, payload }) => {
        if (header.typ !== TOKEN_TYPE) throw new Error('another type of token');
        // This is the service's clock, which a local runtime can move; the library would use the machine's.
        if ((payload.exp ?? 0) <= clock.seconds()) throw new Error('the token has ended');
      },
    });
    return claims as unknown as VerifiedClaims;
  } catch {
    return undefined;
  }
}
