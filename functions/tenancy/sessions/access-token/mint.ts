import { makeClientId } from '../../../kernel/authentication/api-key.ts';
import { findEnvironment } from '../../../kernel/authentication/environment.ts';
import { featureFlagsClaim } from '../../../kernel/authentication/feature-flags-claim.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { type Claims, issuerOf } from '../../../kernel/tokens/issuer.ts';
import { signToken } from '../../../kernel/tokens/sign.ts';
import { previewClaims, type TemplateFault, templateClaims } from '../jwt-template/claims.ts';
import type { SessionRecord } from '../session/entity.ts';
import type { Impersonator } from '../session/schema.ts';
import { sessionSettings } from '../settings.ts';
import { type TokenSubject, TokenTooBig } from './claims.ts';

/**
 * Maximum characters of an access token: 3,072 bytes of a JWT template's claims as base64url, and 2,048 for the rest. It
 * still fits into the headers of a request, which servers commonly limit to 8 KB in total.
 */
const MOST_CHARACTERS = 6_144;

/**
 * Makes an access token of a session: a JWT signed with RS256 (RFC 7519), with the claims of the environment's JWT template
 * in addition to the service's own. It reads nothing while key and environment are cached.
 * @throws TokenTooBig when the token has more than 6,144 characters, or the template's claims more than 3,072 bytes
 */
export async function mintAccessToken(session: SessionRecord, subject: TokenSubject): Promise<string> {
  const { environmentId } = session;
  const [environment, limits, template] = await awaitAll([
    findEnvironment(environmentId),
    findSettings(environmentId, sessionSettings),
    templateClaims(environmentId, subject),
  ]);
  if (environment === undefined) throw new Error('The environment of the session is gone');
  const claims = { ...template, ...ownClaims(session, subject, issuerOf(environment)) };
  const token = await signToken(environmentId, 'session', claims, limits.access_token_seconds);
  if (token.length > MOST_CHARACTERS) throw new TokenTooBig();
  return token;
}

/** The claims that a token would have, and why its template gives none. */
export interface DescribedToken {
  claims: Claims;
  /** The names of the claims that the template sets. */
  custom_claims: string[];
  fault: TemplateFault | null;
}

/**
 * Describes the claims of the access tokens of a subject, without a session and a signature.
 * @param content The template; that of the environment if absent
 */
export async function describeAccessToken(
  environmentId: string,
  subject: TokenSubject,
  content?: string,
): Promise<DescribedToken> {
  const [environment, { claims: custom, fault }] = await awaitAll([
    findEnvironment(environmentId),
    previewClaims(environmentId, subject, content),
  ]);
  if (environment === undefined) throw new Error('The environment of the user is gone');
  const organizationId = subject.membership?.organization_id as string | undefined;
  const place = { environmentId, ...(organizationId !== undefined && { organizationId }) };
  const claims = { ...custom, ...subjectClaims(place, subject, issuerOf(environment)) };
  return { claims, custom_claims: Object.keys(custom), fault };
}

function ownClaims(session: SessionRecord, subject: TokenSubject, issuer: string): Claims {
  const impersonator = session.impersonator as Impersonator | undefined;
  return {
    ...subjectClaims(session, subject, issuer),
    sid: session.id,
    auth_time: Math.floor(Date.parse(session.authenticatedAt) / 1_000),
    ...(impersonator === undefined ? {} : { act: { sub: impersonator.email }, impersonator }),
  };
}

/** The service's own claims that follow from the subject, and not from one session. */
function subjectClaims(
  { environmentId, organizationId }: Pick<SessionRecord, 'environmentId' | 'organizationId'>,
  { user, membership, featureFlags = [] }: TokenSubject,
  issuer: string,
): Claims {
  const clientId = makeClientId(environmentId);
  return {
    iss: issuer,
    aud: clientId,
    sub: user.id,
    client_id: clientId,
    ...(organizationId === undefined ? {} : { org_id: organizationId }),
    ...(organizationId === undefined || membership === undefined ? {} : given(membership)),
    ...featureFlagsClaim(featureFlags),
  };
}

const MEMBERSHIP_CLAIMS = ['role', 'roles', 'permissions', 'permissions_omitted', 'entitlements'] as const;

/** The claims of the membership; an empty list is left out, as in the contract. */
function given(membership: NonNullable<TokenSubject['membership']>): Claims {
  const claims = MEMBERSHIP_CLAIMS.map((name) => [name, membership[name]] as const);
  return Object.fromEntries(claims.filter(([, value]) => value !== undefined && (value === true || value.length > 0)));
}
