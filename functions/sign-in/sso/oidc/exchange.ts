import type * as OpenIdClient from 'openid-client';

import { clock } from '../../../kernel/clock.ts';
import { EgressError } from '../../../kernel/egress/egress.ts';
import { log } from '../../../kernel/log.ts';
import type { OidcCheck } from '../attempt/shape.ts';
import type { OidcPart } from '../connection/entity.ts';
import type { ConnectionSecrets } from '../connection/secrets.ts';
import { algorithmIn, isSymmetric, keepKeys, loadOpenIdClient, openProvider } from './provider.ts';

/** The parameters with which a provider redirected the browser back. */
export interface Callback {
  code?: string | undefined;
  iss?: string | undefined;
  error?: string | undefined;
  error_description?: string | undefined;
}

/** The values that bind a response to one request. */
export interface Binding {
  state: string;
  nonce: string;
  verifier: string;
}

/** The claims about a user, with the tokens. */
export interface Exchanged {
  claims: Readonly<Record<string, unknown>>;
  idToken: string;
  accessToken: string;
  refreshToken?: string | undefined;
  /** The time of expiry in seconds since the epoch; undefined if the token does not expire. */
  expiresAt?: number | undefined;
  scopes: readonly string[];
}

/**
 * The error for a provider's response that proves nothing. `message` gives the reason, and contains nothing that the
 * provider has written.
 */
export class ExchangeFailure extends Error {
  readonly code: 'access_denied' | 'oauth_failed';
  /** The step of the authorization code flow that failed. */
  readonly check: OidcCheck;
  /** The error of the provider, which is shown only to the administrator, and never to the application or in the browser. */
  readonly detail: string | undefined;

  constructor(
    code: 'access_denied' | 'oauth_failed',
    message: string,
    { check, cause }: { check: OidcCheck; cause?: unknown },
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ExchangeFailure';
    this.code = code;
    this.check = check;
    this.detail = describeError(message, cause);
  }
}

/** The error message that a provider sent (RFC 6749 sections 4.1.2.1 and 5.2). */
function describeError(message: string, cause: unknown): string {
  const { error, error_description: description } = (cause ?? {}) as Record<string, unknown>;
  const texts = [error, description].filter((one) => typeof one === 'string' && one !== '');
  return texts.length === 0 ? message : `${message} Its error: ${texts.join(': ')}`;
}

export const SCOPES = ['openid', 'profile', 'email'] as const;

/** The parameters of an authorization request that applications or the pages add. */
export interface Hints {
  scopes?: readonly string[] | undefined;
  loginHint?: string | undefined;
  domainHint?: string | undefined;
  /** The requirement that the user authenticates again, if there is one. */
  reauthentication?: { maxAge?: number | undefined } | undefined;
  parameters?: Readonly<Record<string, string>> | undefined;
}

/** Makes the authorization URL of a connection (OpenID Connect Core 1.0 section 3.1.2.1). */
export async function authorizationUrl(
  oidc: OidcPart,
  secrets: ConnectionSecrets,
  redirectUri: string,
  { state, nonce, verifier }: Binding,
  hints: Hints,
): Promise<string> {
  const oauth = await loadOpenIdClient();
  const config = await openProvider(oidc, secrets);
  const { loginHint, domainHint, reauthentication, scopes = SCOPES } = hints;
  return oauth.buildAuthorizationUrl(config, {
    ...hints.parameters,
    ...(loginHint === undefined ? {} : { login_hint: loginHint }),
    ...(domainHint === undefined ? {} : { domain_hint: domainHint, hd: domainHint }),
    ...(reauthentication === undefined ? {} : { prompt: 'login', max_age: String(reauthentication.maxAge ?? 0) }),
    redirect_uri: redirectUri,
    scope: [...new Set([...SCOPES, ...scopes])].join(' '),
    state,
    nonce,
    ...(oidc.pkce
      ? { code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' }
      : {}),
  }).href;
}

/** Makes the new values of a request, without the state. */
export async function newBinding(): Promise<Omit<Binding, 'state'>> {
  const { randomNonce, randomPKCECodeVerifier } = await loadOpenIdClient();
  return { nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
}

/**
 * Processes a provider's response: checks that it belongs to this request (`iss`, RFC 9207), exchanges its code with the
 * request's own verifier, and verifies the ID token (OpenID Connect Core 1.0 section 3.1.3.7) with the algorithm of the
 * connection.
 * @throws ExchangeFailure
 */
export async function exchangeCode(
  oidc: OidcPart,
  secrets: ConnectionSecrets,
  redirectUri: string,
  { state, nonce, verifier }: Binding,
  callback: Callback,
): Promise<Exchanged> {
  const oauth = await loadOpenIdClient();
  try {
    const config = await openProvider(oidc, secrets);
    const url = new URL(redirectUri);
    for (const [name, value] of Object.entries({ ...callback, state })) {
      if (value !== undefined) url.searchParams.set(name, value);
    }
    const tokens = await oauth.authorizationCodeGrant(config, url, {
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
      ...(oidc.pkce ? { pkceCodeVerifier: verifier } : {}),
    });
    const claims = tokens.claims();
    if (claims === undefined || tokens.id_token === undefined) throw unproven();
    await checkSecretSignature(oidc, secrets, tokens.id_token);
    await keepKeys(config, oidc);
    const further = await furtherClaims(config, oidc, tokens.access_token, claims.sub);
    return {
      // The userinfo endpoint never replaces a claim of the ID token.
      claims: { ...further, ...claims },
      idToken: tokens.id_token,
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token,
      expiresAt: tokens.expires_in === undefined ? undefined : clock.seconds() + Math.floor(tokens.expires_in),
      scopes: tokens.scope?.split(' ') ?? SCOPES,
    };
  } catch (error) {
    throw readFailure(error, oauth);
  }
}

const unproven = (cause?: unknown): ExchangeFailure =>
  new ExchangeFailure('oauth_failed', 'The response of the identity provider is not one to this request.', {
    check: 'id_token',
    cause,
  });

/** Verifies an ID token that is authenticated with the client's secret, which the protocol library does not support. */
async function checkSecretSignature(
  oidc: OidcPart,
  { clientSecret = '' }: ConnectionSecrets,
  idToken: string,
): Promise<void> {
  const algorithm = algorithmIn(oidc);
  if (!isSymmetric(algorithm)) return;
  const { jwtVerify } = await import('jose');
  const currentDate = new Date(clock.now());
  const options = { algorithms: [algorithm], issuer: oidc.metadata.issuer, audience: oidc.clientId, currentDate };
  await jwtVerify(idToken, Buffer.from(clientSecret), options).catch((error: unknown) => {
    throw unproven(error);
  });
}

/** The claims of the userinfo endpoint, if the connection requires them or the ID token has no email. */
async function furtherClaims(
  config: OpenIdClient.Configuration,
  { fetchUserInfo, metadata }: OidcPart,
  accessToken: string,
  subject: string,
): Promise<Record<string, unknown>> {
  if (fetchUserInfo !== true || metadata.userinfo_endpoint === undefined) return {};
  const { fetchUserInfo: fetchClaims } = await loadOpenIdClient();
  return { ...(await fetchClaims(config, accessToken, subject)) };
}

function readFailure(error: unknown, oauth: typeof OpenIdClient): ExchangeFailure {
  if (error instanceof ExchangeFailure) return error;
  log.info('a sign-in through an OpenID provider failed', { error });
  if (error instanceof oauth.AuthorizationResponseError) {
    const at = { check: 'authorization_response', cause: error } as const;
    return error.error === 'access_denied'
      ? new ExchangeFailure('access_denied', 'The identity provider denied the sign-in.', at)
      : new ExchangeFailure('oauth_failed', 'The identity provider responded with an error.', at);
  }
  for (let at = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth += 1) {
    if (at instanceof EgressError || (at instanceof oauth.ResponseBodyError && at.status >= 500)) {
      const token = { check: 'token_response', cause: at } as const;
      return new ExchangeFailure('oauth_failed', 'The identity provider did not respond.', token);
    }
    if (at instanceof oauth.ResponseBodyError || at instanceof oauth.WWWAuthenticateChallengeError) {
      const token = { check: 'token_response', cause: at } as const;
      return new ExchangeFailure('oauth_failed', 'The identity provider rejected the request of the service.', token);
    }
    const { code } = at as { code?: unknown };
    if (typeof code === 'string' && code.startsWith('OAUTH_')) return unproven(error);
  }
  throw error;
}
