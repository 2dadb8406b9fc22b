import * as oauth from 'openid-client';

import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { issuerOf, knownEndpoints } from '../catalogue/find.ts';
import type { Binding } from './authorization.ts';
import type { ProviderClient } from './client.ts';
import { ProviderFailure } from './failure.ts';
import {
  bitbucketProfile,
  type Claims,
  gitHubProfile,
  lacksEmail,
  type Profile,
  readProfile,
  withAppleName,
} from './profile.ts';
import { keepKeys, openServer } from './server.ts';

/** The parameters with which a provider redirected the browser back. */
export interface Callback {
  code?: string | undefined;
  iss?: string | undefined;
  error?: string | undefined;
  error_description?: string | undefined;
  /** The name and email that Apple sends at a user's first sign-in. */
  user?: string | undefined;
}

/** The provider's tokens for its own API. */
export interface ProviderTokens {
  accessToken: string;
  refreshToken: string | undefined;
  /** The time of expiry in seconds since the epoch. */
  expiresAt: number | undefined;
  /** The scopes in the response; undefined if the provider granted the requested scopes (RFC 6749 section 5.1). */
  scopes: string[] | undefined;
}

/**
 * Processes a provider's response: checks that it belongs to this request (RFC 9207, RFC 6749 section 4.1.2), exchanges
 * its code with the request's own verifier, and verifies the tokens (OpenID Connect Core 1.0 section 3.1.3.7).
 * @throws the errors that {@link toFault} reads
 */
export async function exchange(
  client: ProviderClient,
  binding: Binding,
  callback: Callback,
): Promise<{ profile: Profile; tokens: ProviderTokens; authenticatedAt: number | undefined }> {
  const { facts, redirectUri } = client;
  const config = await openServer(client);
  const hasIdToken = facts.protocol === 'oidc';
  const { code, iss, error, error_description } = callback;
  const response = new URL(redirectUri);
  const parameters = { code, iss: hasIdToken ? iss : undefined, error, error_description, state: binding.state };
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) response.searchParams.set(name, value);
  if (!hasIdToken) checkHost(client, iss);
  const tokens = await oauth.authorizationCodeGrant(config, response, {
    expectedState: binding.state,
    idTokenExpected: hasIdToken,
    ...(facts.pkce === false ? {} : { pkceCodeVerifier: binding.verifier }),
    ...(hasIdToken && facts.nonce !== false ? { expectedNonce: binding.nonce } : {}),
  });
  const profile = hasIdToken
    ? withAppleName(
        await openIdProfile(client, config, tokens),
        facts.authenticateVia === 'apple' ? callback.user : undefined,
      )
    : await accountProfile(client, config, tokens.access_token);
  if (profile.subject === '' || profile.subject.length > 255)
    throw new ProviderFailure('invalid_response', 'The provider does not say who signed in.');
  keepKeys(config);
  const { auth_time: authTime } = (hasIdToken && tokens.claims()) || {};
  const authenticatedAt = typeof authTime === 'number' ? authTime * 1_000 : undefined;
  return { profile, tokens: readTokens(tokens), authenticatedAt };
}

/**
 * OAuth providers have no issuer to compare with; an issuer in the response must at least have the host of the
 * authorization endpoint.
 */
function checkHost({ facts, location }: ProviderClient, issuer: string | undefined): void {
  if (issuer === undefined) return;
  const { authorization = issuerOf(facts, location) } = knownEndpoints(facts, location);
  if (!URL.canParse(issuer) || new URL(issuer).origin !== new URL(authorization).origin)
    throw new ProviderFailure('invalid_response', 'The response is from another provider.');
}

type Granted = Awaited<ReturnType<typeof oauth.authorizationCodeGrant>>;

async function openIdProfile(
  { facts }: ProviderClient,
  config: oauth.Configuration,
  tokens: Granted,
): Promise<Profile> {
  const claims = tokens.claims();
  if (claims === undefined) throw new ProviderFailure('invalid_response', 'The provider does not say who signed in.');
  const asksMore = lacksEmail(facts, claims) && config.serverMetadata().userinfo_endpoint !== undefined;
  const more = asksMore ? await oauth.fetchUserInfo(config, tokens.access_token, claims.sub) : {};
  return readProfile(facts, claims, more);
}

/** Reads the account at a provider without ID tokens, from its endpoints for the profile and the addresses. */
async function accountProfile(
  { facts, location }: ProviderClient,
  config: oauth.Configuration,
  accessToken: string,
): Promise<Profile> {
  const { userinfo, emails } = knownEndpoints(facts, location);
  const issuer = issuerOf(facts, location);
  const [user, addresses] = await awaitAll([
    read(config, accessToken, userinfo),
    // Without the scope for addresses the provider rejects this request. Then the email is unverified, and the sign-in
    // continues.
    read(config, accessToken, emails, [401, 403, 404]),
  ]);
  const account = (user ?? {}) as Claims;
  const profile =
    facts.protocol === 'github'
      ? gitHubProfile(issuer, account, addresses)
      : bitbucketProfile(issuer, account, addresses);
  if (profile === undefined) throw new ProviderFailure('invalid_response', 'The provider does not say who signed in.');
  return profile;
}

async function read(
  config: oauth.Configuration,
  accessToken: string,
  url: string | undefined,
  missing: readonly number[] = [],
): Promise<unknown> {
  if (url === undefined) return undefined;
  const headers = new Headers({ accept: 'application/json', 'user-agent': 'Gatehouse' });
  const response = await request(config, accessToken, url, headers, missing);
  if (response === undefined) return undefined;
  if (response.status !== 200) {
    const code = response.status >= 500 ? 'provider_unavailable' : 'provider_refused';
    throw new ProviderFailure(code, 'The provider does not say who signed in.');
  }
  try {
    return await response.json();
  } catch (error) {
    throw new ProviderFailure('invalid_response', 'The provider does not say who signed in.', error);
  }
}

async function request(
  config: oauth.Configuration,
  accessToken: string,
  url: string,
  headers: Headers,
  missing: readonly number[],
): Promise<Response | undefined> {
  try {
    const response = await oauth.fetchProtectedResource(config, accessToken, new URL(url), 'GET', undefined, headers);
    return missing.includes(response.status) ? undefined : response;
  } catch (error) {
    if (error instanceof oauth.WWWAuthenticateChallengeError && missing.includes(error.status)) return undefined;
    throw error;
  }
}

const readTokens = (tokens: Granted): ProviderTokens => ({
  accessToken: tokens.access_token,
  refreshToken: tokens.refresh_token,
  expiresAt: tokens.expires_in === undefined ? undefined : clock.seconds() + Math.floor(tokens.expires_in),
  // Scopes are separated by blanks according to the standard, and by commas at GitHub.
  scopes: tokens.scope === undefined ? undefined : tokens.scope.split(/[\s,]+/).filter((scope) => scope !== ''),
});
