import { createHash } from 'node:crypto';

import { clientIdOfApplication } from '../application/client-id.ts';
import { makeClientId } from '../../../kernel/authentication/api-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { issuerClaims } from '../../../kernel/tokens/issuer.ts';
import { signToken } from '../../../kernel/tokens/sign.ts';
import type { Entry, Verdict } from '../../../tenancy/modules/trust/public.ts';
import type { UserRecord } from '../../../tenancy/modules/users/public.ts';
import type { ApplicationRecord } from '../application/entity.ts';
import type { GrantRecord } from '../grant/entity.ts';
import { claimsOfUser } from '../userinfo/claims.ts';
import type { TokenResponse } from './schema.ts';

/** The data from which the tokens of a user are made. */
export interface Issuing {
  application: ApplicationRecord;
  /** The grant in the state that the unit of work writes. */
  grant: GrantRecord;
  user: UserRecord;
  /** The permission to enter the organization of the grant. */
  verdict: Verdict<Entry>;
  /** The resource (RFC 8707); undefined for the environment itself. */
  audience: string | undefined;
  scopes: readonly string[];
  accessTokenSeconds: number;
  refreshToken: string | undefined;
}

/** The left half of the token's hash, which binds the ID token to it (OpenID Connect Core section 3.1.3.6). */
const hashForIdToken = (token: string): string =>
  createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url');

/**
 * Signs the access token (RFC 9068) and, with the scope `openid`, the ID token (OpenID Connect Core section 2). It reads
 * nothing.
 */
export async function issueTokens(environmentId: string, issuing: Issuing): Promise<TokenResponse> {
  const { application, grant, user, audience, scopes, refreshToken } = issuing;
  const left = Math.floor((grant.endsAt - clock.now()) / 1_000);
  const lifetime = Math.max(1, Math.min(issuing.accessTokenSeconds, left));
  const { iss } = await issuerClaims(environmentId);
  const clientId = clientIdOfApplication(application);
  const scope = scopes.join(' ');
  const common = {
    iss,
    sub: user.id,
    sid: grant.consentId,
    ...(grant.organizationId === undefined ? {} : { org_id: grant.organizationId }),
    auth_time: Math.floor(grant.authenticatedAt / 1_000),
  };
  const accessClaims = {
    ...((grant.chosenClaims ?? {}) as Record<string, string>),
    ...common,
    aud: audience ?? makeClientId(environmentId),
    client_id: clientId,
    scope,
    grant_id: grant.id,
  };
  const token = await signToken(environmentId, 'access', accessClaims, lifetime);
  const response = { access_token: token, token_type: 'Bearer' as const, expires_in: lifetime, scope };
  const idClaims = {
    ...common,
    aud: clientId,
    at_hash: hashForIdToken(token),
    ...(grant.nonce === undefined ? {} : { nonce: grant.nonce }),
    ...claimsOfUser(user, scopes),
  };
  const idToken = scopes.includes('openid')
    ? await signToken(environmentId, 'identity', idClaims, lifetime)
    : undefined;
  return {
    ...response,
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    ...(idToken === undefined ? {} : { id_token: idToken }),
  };
}
