import { sign } from 'node:crypto';
import { promisify } from 'node:util';
import { clientIdOf } from '../../kernel/authentication/api-key.ts';
import { environmentOf } from '../../kernel/authentication/environment.ts';
import { featureFlagsClaim } from '../../kernel/authentication/feature-flags-claim.ts';
import { clock } from '../../kernel/clock.ts';
import { settingsOf } from '../../kernel/environment-settings.ts';
import { newUlid } from '../../kernel/ids.ts';
import { templateClaims } from '../jwt-template/claims.ts';
import type { SessionRecord } from '../session/entity.ts';
import type { Impersonator } from '../session/schema.ts';
import { sessionSettings } from '../settings.ts';
import { signingOf } from '../signing-key/keys.ts';
import { type Claims, issuerOf, TOKEN_TYPE, type TokenSubject, TokenTooBig } from './claims.ts';

/**
 * Maximum characters of an access token: 3,072 bytes of a JWT template's claims as base64url, and 2,048 for the rest.
 * It still fits into the headers of a request, whose sum servers commonly limit to 8 KB.
 */
const MOST_CHARACTERS = 6_144;

const signOffThread = promisify(sign);

/**
 * Makes an access token of a session: a JWT signed with RS256 (RFC 7519), with the claims of the environment's JWT
 * template in addition to the service's own. There is no read while key and environment are cached.
 * @throws TokenTooBig when the token has more than 6,144 characters, or the template's claims more than 3,072 bytes
 */
export async function accessTokenOf(session: SessionRecord, subject: TokenSubject): Promise<string> {
  const { environmentId } = session;
  const [environment, { kid, privateKey }, limits, template] = await Promise.all([
    environmentOf(environmentId),
    signingOf(environmentId),
    settingsOf(environmentId, sessionSettings),
    templateClaims(environmentId, subject),
  ]);
  if (environment === undefined) throw new Error('The environment of the session is gone');
  const iat = clock.seconds();
  const own = ownClaims(session, subject, issuerOf(environment));
  const claims = { ...template, ...own, jti: newUlid(), iat, exp: iat + limits.access_token_seconds };
  const content = `${encoded({ alg: 'RS256', typ: TOKEN_TYPE, kid })}.${encoded(claims)}`;
  const signature = await signOffThread('sha256', Buffer.from(content), privateKey);
  const token = `${content}.${signature.toString('base64url')}`;
  if (token.length > MOST_CHARACTERS) throw new TokenTooBig();
  return token;
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

function ownClaims(
  session: SessionRecord,
  { user, membership, featureFlags = [] }: TokenSubject,
  issuer: string,
): Claims {
  const { environmentId, organizationId } = session;
  const clientId = clientIdOf(environmentId);
  const impersonator = session.impersonator as Impersonator | undefined;
  return {
    iss: issuer,
    aud: clientId,
    sub: user.id,
    sid: session.id,
    client_id: clientId,
    auth_time: Math.floor(Date.parse(session.authenticatedAt) / 1_000),
    ...(impersonator === undefined ? {} : { act: { sub: impersonator.email } }),
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
