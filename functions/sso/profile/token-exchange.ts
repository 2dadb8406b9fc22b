import { decodeProtectedHeader, importJWK, type JWK, jwtVerify, type JWTPayload } from 'jose';

import { clock } from '../../kernel/clock.ts';
import { egress } from '../../kernel/egress/shared.ts';
import { EgressError } from '../../kernel/egress/egress.ts';
import { declareError, Failure } from '../../kernel/errors.ts';
import { sha256Hex } from '../../kernel/keys/hash.ts';
import { inPlaceOfExpired } from '../../kernel/storage/expiry.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { activeConnections, findOrganizationSso } from '../../organization-sso/public.ts';
import { findOrganization, organizationNotFound } from '../../organizations/public.ts';
import { type ConnectionRecord, connections, type OidcPart } from '../connection/entity.ts';
import { oidcIn } from '../connection/rules.ts';
import { openConnection } from '../connection/secrets.ts';
import { oidcIdentity } from '../oidc/identity.ts';
import { algorithmIn, isSymmetric } from '../oidc/provider.ts';
import { SsoRejected } from '../sign-in/person.ts';
import { identityAnswer } from '../sign-in/respond.ts';
import { profileAt } from './code.ts';
import { usedIdTokens } from './entity.ts';
import type { PresentedProfile } from './schema.ts';

export const invalidSubjectToken = declareError({
  status: 400,
  code: 'invalid_grant',
  message:
    'The subject_token is not an ID token of the organization’s OpenID connection: its issuer, audience, algorithm, ' +
    'signature and time are checked, and each is taken once.',
  form: 'oauth',
});

export const keysUnavailable = declareError({
  status: 422,
  code: 'idp_keys_unavailable',
  message: 'The keys of the identity provider could not be fetched. Try again later.',
});

/** Time in seconds for which an ID token is accepted after its issue, in addition to two minutes for differing clocks. */
const MOST_AGE_SECONDS = 600;
const SKEW_SECONDS = 120;

const invalid = (): Failure => new Failure(invalidSubjectToken);

/**
 * Exchanges an ID token of an organization's own OpenID provider for a profile (RFC 8693).
 * @throws Failure `invalid_grant`, `not_found` for the organization, `idp_keys_unavailable`
 */
export async function exchangeIdToken(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  organizationId: string,
  token: string,
): Promise<PresentedProfile> {
  const [organization, sso] = await Promise.all([
    findOrganization(environmentId, organizationId),
    findOrganizationSso(environmentId, organizationId),
  ]);
  const active = await connections.getMany(
    environmentId,
    activeConnections(sso).map(({ id }) => id),
  );
  const found = active.flatMap((record) => {
    const oidc = oidcIn(record);
    return oidc === undefined ? [] : [{ record, oidc }];
  });
  const [only, another] = found;
  if (organization === undefined) throw new Failure(organizationNotFound);
  if (only === undefined || another !== undefined) throw invalid();
  const claims = await verifiedClaims(only.record, only.oidc, token);
  const exchanged = { claims, idToken: token, accessToken: '', scopes: [] };
  const answer = identityAnswer({ ...oidcIdentity(only.record, exchanged), tokens: undefined }, undefined);
  if (answer.kind === 'failure') throw invalid();
  const expiresAt = clock.seconds() + MOST_AGE_SECONDS + 2 * SKEW_SECONDS;
  const { write } = usedIdTokens.create({ environmentId, id: sha256Hex(token), expiresAt });
  unit.stage(inPlaceOfExpired(write), invalid());
  return profileAt(unit, { record: only.record, organization, identity: answer.identity }).catch((error: unknown) => {
    throw error instanceof SsoRejected ? new Failure(invalidSubjectToken, { message: error.message }) : error;
  });
}

async function verifiedClaims(record: ConnectionRecord, oidc: OidcPart, token: string): Promise<JWTPayload> {
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
      requiredClaims: ['sub', 'exp', 'iat'],
    });
    return payload;
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (error instanceof EgressError) throw new Failure(keysUnavailable);
    const code = (error as { code?: unknown }).code;
    const isOfLibrary = typeof code === 'string' && code.startsWith('ERR_J');
    if (isOfLibrary || error instanceof SyntaxError || error instanceof TypeError) throw invalid();
    throw error;
  }
}

/**
 * Fetches the provider's key for a token through the egress guard.
 * @throws Failure if the provider has none
 */
async function fetchPublicKey({ metadata }: OidcPart, token: string, algorithm: string) {
  const { kid } = decodeProtectedHeader(token);
  const { status, body } = await egress().send({
    method: 'GET',
    url: metadata.jwks_uri,
    timeoutMs: 6_000,
    maxBytes: 262_144,
  });
  const { keys = [] } = (status === 200 ? JSON.parse(Buffer.from(body).toString('utf8')) : {}) as { keys?: JWK[] };
  const usable = keys.filter(({ use = 'sig', alg = algorithm }) => use === 'sig' && alg === algorithm);
  const [key, another] = kid === undefined ? usable : usable.filter((one) => one.kid === kid);
  if (key === undefined || (kid === undefined && another !== undefined)) throw invalid();
  return importJWK(key, algorithm);
}
