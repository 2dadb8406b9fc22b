import { decodeProtectedHeader, importJWK, jwtVerify, type JWK, type JWTPayload } from 'jose';

import { clock } from '../../../kernel/clock.ts';
import { EgressError } from '../../../kernel/egress/errors.ts';
import { egress } from '../../../kernel/egress/shared.ts';
import type { ConnectionRecord, OidcPart } from '../connection/entity.ts';
import { openConnection } from '../connection/secrets.ts';
import { algorithmIn, isSymmetric } from './provider.ts';

/** Seconds after its issue for which a token is accepted, and the allowed difference of clocks. */
export const MOST_AGE_SECONDS = 600;
export const SKEW_SECONDS = 120;

/** The exception for a token that the provider did not issue for this connection. */
export class InvalidProviderToken extends Error {}

/** The exception if the keys of the provider could not be fetched, so that the token could not be verified. */
export class ProviderKeysUnavailable extends Error {}

/**
 * Verifies a token of a connection's OpenID provider that is not the response to a request of the service: signature by the
 * algorithm of the connection, issuer, audience and age.
 * @throws InvalidProviderToken, ProviderKeysUnavailable
 */
export async function verifyProviderToken(
  record: ConnectionRecord,
  oidc: OidcPart,
  token: string,
  { requiredClaims }: { requiredClaims: string[] },
): Promise<JWTPayload> {
  const algorithm = algorithmIn(oidc);
  try {
    const key = isSymmetric(algorithm)
      ? Buffer.from((await openConnection(record)).clientSecret ?? '')
      : await fetchPublicKey(oidc, token, algorithm);
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      issuer: oidc.metadata.issuer,
      audience: oidc.clientId,
      currentDate: new Date(clock.now()),
      clockTolerance: SKEW_SECONDS,
      maxTokenAge: MOST_AGE_SECONDS,
      requiredClaims,
    });
    return payload;
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    const isOfLibrary = typeof code === 'string' && code.startsWith('ERR_J');
    if (isOfLibrary || error instanceof SyntaxError || error instanceof TypeError) throw new InvalidProviderToken();
    throw error;
  }
}

/** Fetches the provider's key for a token, through the egress guard. @throws InvalidProviderToken if it has none, ProviderKeysUnavailable */
async function fetchPublicKey({ metadata }: OidcPart, token: string, algorithm: string) {
  const { kid } = decodeProtectedHeader(token);
  const request = { method: 'GET', url: metadata.jwks_uri, timeoutMs: 6_000, maxBytes: 262_144 } as const;
  const { status, body } = await egress()
    .send(request)
    .catch((error: unknown) => {
      throw error instanceof EgressError ? new ProviderKeysUnavailable() : error;
    });
  if (status !== 200) throw new ProviderKeysUnavailable();
  const { keys = [] } = JSON.parse(Buffer.from(body).toString('utf8')) as { keys?: JWK[] };
  const usable = keys.filter(({ use = 'sig', alg = algorithm }) => use === 'sig' && alg === algorithm);
  const [key, another] = kid === undefined ? usable : usable.filter((one) => one.kid === kid);
  if (key === undefined || (kid === undefined && another !== undefined)) throw new InvalidProviderToken();
  return importJWK(key, algorithm);
}
