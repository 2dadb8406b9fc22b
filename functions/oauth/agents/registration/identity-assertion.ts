import { normalizeEmail } from '../../../kernel/address.ts';
import { findEnvironment } from '../../../kernel/authentication/environment.ts';
import { clock } from '../../../kernel/clock.ts';
import { issuerOf } from '../../../kernel/tokens/issuer.ts';
import { findRemoteKeys } from '../../../kernel/tokens/remote-keys.ts';
import { readUnverifiedClaims } from '../../../kernel/tokens/verify.ts';
import type { TrustedIssuer } from '../../../sign-in/modules/authorization-server/public.ts';

/** The type of an assertion as a request names it, and the `typ` of its header. */
export const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
const TYP = 'oauth-id-jag+jwt';

/** The pinned algorithms; none is symmetric. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'];
/** Seconds after which an assertion must have expired, and the tolerance for clocks. */
const LONGEST_SECONDS = 600;
const SKEW_SECONDS = 30;

/** The user that an identity provider asserts, and the agent that acts for the user. */
export interface IdentityAssertion {
  issuer: string;
  organizationId: string;
  subject: string;
  clientId: string;
  jti: string;
  /** Seconds since the epoch. */
  expiresAt: number;
  /** The address of the user, if the issuer has verified it. */
  email: string | undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 1_000;

/**
 * Verifies an identity assertion (draft-ietf-oauth-identity-assertion-authz-grant, section 4.3): `typ`, a pinned algorithm, a key of
 * the trusted issuer, the environment’s issuer as the only audience, expiry within ten minutes, `jti` and `client_id`. Undefined if one is
 * wrong. Its single use is staged by `stageUse`.
 */
export async function verifyIdentityAssertion(
  environmentId: string,
  trusted: readonly TrustedIssuer[],
  assertion: string,
): Promise<IdentityAssertion | undefined> {
  const stated = readUnverifiedClaims(assertion)?.iss;
  const issuer = trusted.find((one) => one.issuer === stated);
  const environment = await findEnvironment(environmentId);
  if (issuer === undefined || environment === undefined) return undefined;
  const { createLocalJWKSet, decodeProtectedHeader, errors, jwtVerify } = await import('jose');
  try {
    const keys = await findRemoteKeys(issuer.jwks_uri, decodeProtectedHeader(assertion).kid);
    const { payload } = await jwtVerify(assertion, createLocalJWKSet(keys), {
      typ: TYP,
      algorithms: ALGORITHMS,
      issuer: issuer.issuer,
      audience: issuerOf(environment),
      clockTolerance: SKEW_SECONDS,
      currentDate: new Date(clock.now()),
      maxTokenAge: LONGEST_SECONDS,
      requiredClaims: ['exp', 'jti', 'sub', 'client_id'],
    });
    const { aud, sub, jti, exp = 0, client_id: clientId, email, email_verified: isVerified } = payload;
    const isShort = exp <= clock.seconds() + LONGEST_SECONDS + SKEW_SECONDS;
    const isSingle = !Array.isArray(aud) || aud.length === 1;
    if (!isShort || !isSingle || !isText(sub) || !isText(jti) || !isText(clientId)) return undefined;
    if (issuer.client_ids.length > 0 && !issuer.client_ids.includes(clientId)) return undefined;
    return {
      issuer: issuer.issuer,
      organizationId: issuer.organization_id,
      subject: sub,
      clientId,
      jti,
      expiresAt: exp,
      email: isVerified === true && isText(email) ? normalizeEmail(email) : undefined,
    };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}
