import { makeClientId } from '../authentication/api-key.ts';
import { findOpenEnvironment } from '../authentication/environment.ts';
import { clock } from '../clock.ts';
import { awaitAll } from '../concurrency.ts';
import { parseJson } from '../json.ts';
import { type Claims, issuerOf } from './issuer.ts';
import { makeJwk, publishedKeys } from './jwks.ts';
import { findSigningKeys } from './key-set.ts';
import { isSubjectOf, type TokenKindName, tokenKinds } from './kinds.ts';

/** The claims that every verified token has. */
export type VerifiedClaims = Claims & { sub: string; jti: string; exp: number; iat: number };

/** The claims of a token, unverified: only for what is read while it is verified. Undefined if it is not a JWT of an object. */
export function readUnverifiedClaims(token: string): Claims | undefined {
  try {
    const claims = parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    return typeof claims === 'object' && claims !== null ? (claims as Claims) : undefined;
  } catch {
    return undefined;
  }
}

/** Loads the library at the first verification: in a deployed function it is a file of its own (`lib/stack/apart.ts`). */
const loadLibrary = () => import('aws-jwt-verify');

/**
 * Verifies a token of one kind of this environment and returns its claims. Returns undefined for another issuer, audience,
 * `typ` or kind of subject, an algorithm other than RS256, a key that the kind's key set does not publish, or an expired
 * token. It takes two strongly consistent GetItems, of which the environment's is cached. It does not check whether the
 * token's session has ended, which the caller reads.
 * @param audience the expected `aud`; by default the client id of the environment. Null accepts any, for an introspection,
 *   whose caller reads it.
 * @param graceSeconds Seconds for which an expired token is still accepted, for a caller that only needs to know its subject
 */
export async function verifyToken(
  environmentId: string,
  kind: TokenKindName,
  token: string,
  audience: string | null = makeClientId(environmentId),
  graceSeconds = 0,
): Promise<VerifiedClaims | undefined> {
  const { keySet, typ } = tokenKinds[kind];
  const [environment, keys, { JwtVerifier }] = await awaitAll([
    findOpenEnvironment(environmentId),
    findSigningKeys(environmentId, keySet),
    loadLibrary(),
  ]);
  if (environment === undefined || keys === undefined) return undefined;
  const issuer = issuerOf(environment);
  const verifier = JwtVerifier.create({ issuer, audience, jwksUri: `${issuer}/jwks`, graceSeconds });
  verifier.cacheJwks({ keys: publishedKeys(keys).map(makeJwk) });
  try {
    const claims = verifier.verifySync(token, {
      customJwtCheck: ({ header, payload }) => {
        if (header.typ !== typ) throw new Error('another type of token');
        if (!isSubjectOf(kind, payload.sub)) throw new Error('another kind of subject');
        // The expiry is compared with the service's clock, which a local runtime can move; the library would use the
        // machine's.
        if ((payload.exp ?? 0) + graceSeconds <= clock.seconds()) throw new Error('the token has ended');
      },
    });
    return claims as unknown as VerifiedClaims;
  } catch {
    return undefined;
  }
}
