import * as oauth from 'openid-client';

import { egress } from '../../../kernel/egress/shared.ts';
import type { ProviderClient } from './client.ts';
import { openServer } from './server.ts';

/** The values that bind a response to one request. */
export interface Binding {
  state: string;
  /** The code verifier (RFC 7636 section 4.1). */
  verifier: string;
  /** The nonce (OpenID Connect Core 1.0 section 3.1.2.1). */
  nonce: string;
}

/** Optional parameters of an application or a user for the sign-in. */
export interface AuthorizationPreferences {
  scopes: readonly string[];
  queryParams?: Readonly<Record<string, string>> | undefined;
  loginHint?: string | undefined;
  domainHint?: string | undefined;
  prompt?: string | undefined;
  /** Maximum age in seconds of the authentication at the provider. */
  maxAge?: number | undefined;
}

/** Makes new values except the state. */
export const newBinding = (): Omit<Binding, 'state'> => ({
  verifier: oauth.randomPKCECodeVerifier(),
  nonce: oauth.randomNonce(),
});

/**
 * Parameters that protect a sign-in, or that could contain the whole request (RFC 9101): no optional parameter may
 * override them.
 */
const OWN: ReadonlySet<string> = new Set([
  'client_id',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
  'redirect_uri',
  'response_type',
  'response_mode',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'scope',
  'request',
  'request_uri',
  'registration',
  'id_token_hint',
]);

/** The application's own parameters that may be sent to the provider. */
export const allowedParams = (given: Readonly<Record<string, string>> = {}): [string, string][] =>
  Object.entries(given).filter(([name]) => /^[\w.-]{1,64}$/.test(name) && !OWN.has(name.toLowerCase()));

/** Makes the authorization URL (RFC 6749 section 4.1.1). @throws EgressError, and the errors of {@link openServer} */
export async function authorizationUrl(
  client: ProviderClient,
  binding: Binding,
  preferences: AuthorizationPreferences,
): Promise<string> {
  const { facts, redirectUri } = client;
  const config = await openServer(client);
  const hints = {
    ...(preferences.loginHint === undefined ? {} : { [facts.loginHint ?? 'login_hint']: preferences.loginHint }),
    ...(preferences.domainHint === undefined || facts.domainHint === undefined
      ? {}
      : { [facts.domainHint]: preferences.domainHint }),
    ...(preferences.prompt === undefined ? {} : { prompt: preferences.prompt }),
    ...(preferences.maxAge === undefined ? {} : { max_age: String(preferences.maxAge) }),
  };
  const url = oauth.buildAuthorizationUrl(config, {
    ...hints,
    ...Object.fromEntries(allowedParams(preferences.queryParams)),
    redirect_uri: redirectUri,
    scope: preferences.scopes.join(' '),
    state: binding.state,
    ...(facts.protocol === 'oidc' && facts.nonce !== false ? { nonce: binding.nonce } : {}),
    ...(facts.pkce === false
      ? {}
      : {
          code_challenge: await oauth.calculatePKCECodeChallenge(binding.verifier),
          code_challenge_method: 'S256',
        }),
    ...(facts.responseMode === undefined ? {} : { response_mode: facts.responseMode }),
  });
  // The endpoint comes from the provider, and a browser is about to be redirected to it, so it is checked.
  egress().checkUrl(url.href);
  return url.href;
}
