import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { declareError, Failure } from '../../../kernel/errors.ts';
import { sha256Hex } from '../../../kernel/keys/hash.ts';
import { inPlaceOfExpired } from '../../../kernel/storage/expiry.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { activeConnections, findOrganizationSso } from '../../../tenancy/modules/organization-sso/public.ts';
import { findOrganization, organizationNotFound } from '../../../tenancy/organizations/public.ts';
import { type ConnectionRecord, connections, type OidcPart } from '../connection/entity.ts';
import { oidcIn } from '../connection/rules.ts';
import { oidcIdentity } from '../oidc/identity.ts';
import {
  InvalidProviderToken,
  MOST_AGE_SECONDS,
  ProviderKeysUnavailable,
  SKEW_SECONDS,
  verifyProviderToken,
} from '../oidc/token.ts';
import { SsoRejected } from '../sign-in/person.ts';
import { toIdentityResponse } from '../sign-in/respond.ts';
import { profileAt } from './code.ts';
import { usedIdTokens } from './entity.ts';
import type { PresentedProfile } from './schema.ts';

export const invalidSubjectToken = declareError({
  status: 400,
  code: 'invalid_grant',
  message:
    'The subject_token is not an ID token that the organization’s OpenID provider issued for the connection in the last ten ' +
    'minutes, or it was already exchanged. Get a new one from the provider.',
  form: 'oauth',
});

export const keysUnavailable = declareError({
  status: 422,
  code: 'idp_keys_unavailable',
  message: 'The keys of the identity provider could not be fetched. Try again later.',
});

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
  const [organization, sso] = await awaitAll([
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
  const response = toIdentityResponse({ ...oidcIdentity(only.record, exchanged), tokens: undefined }, undefined);
  if (response.kind === 'failure') throw invalid();
  const expiresAt = clock.seconds() + MOST_AGE_SECONDS + 2 * SKEW_SECONDS;
  const { write } = usedIdTokens.create({ environmentId, id: sha256Hex(token), expiresAt });
  unit.stage(inPlaceOfExpired(write), invalid());
  return profileAt(unit, { record: only.record, organization, identity: response.identity }).catch((error: unknown) => {
    throw error instanceof SsoRejected ? new Failure(invalidSubjectToken, { message: error.message }) : error;
  });
}

/** The claims of an ID token of the connection. @throws Failure */
const verifiedClaims = (record: ConnectionRecord, oidc: OidcPart, token: string) =>
  verifyProviderToken(record, oidc, token, { requiredClaims: ['sub', 'exp', 'iat'] }).catch((error: unknown) => {
    if (error instanceof InvalidProviderToken) throw invalid();
    throw error instanceof ProviderKeysUnavailable ? new Failure(keysUnavailable) : error;
  });
