import * as oauth from 'oauth4webapi';

import { clock } from '../../../kernel/clock.ts';
import { EgressError } from '../../../kernel/egress/egress.ts';
import { egress } from '../../../kernel/egress/shared.ts';
import type { TokenEndpoint } from '../catalogue/definition.ts';
import { listSecrets } from './echo.ts';
import { failureOfEgress, ProviderFailure } from './failure.ts';
import { normalizeTokenResponse, splitScopes } from './token-response.ts';

/** Time-out of one call to a token endpoint, in milliseconds. */
export const TOKEN_TIMEOUT_MS = 8_000;
const MAX_BYTES = 262_144;

/** An OAuth client at a provider: the environment's own app, an organization's, or that of a connected account's owner. */
export interface ProviderClient {
  clientId: string;
  clientSecret: string | undefined;
}

/** A provider's endpoints with the config values filled in. */
export interface ProviderServer extends TokenEndpoint {
  issuer: string;
  refreshUrl?: string | undefined;
}

/** The result of a token call. */
export interface TokenSet {
  accessToken: string;
  refreshToken: string | undefined;
  /** The time of expiry (ISO 8601); undefined for a token that does not expire. */
  expiresAt: string | undefined;
  lifetimeSeconds: number | undefined;
  /** The scopes in the response; undefined if the provider granted the requested scopes (RFC 6749 section 5.1). */
  scopes: string[] | undefined;
  /** The whole response without its tokens. */
  metadata: Record<string, unknown>;
}

/*
 * Pipes use oauth4webapi itself; sign-in by providers and sso use openid-client, its layer with discovery, ID tokens and a cache of keys.
 * So the protocol is implemented once. The layer cannot be used here: it has one function that validates a callback and exchanges its
 * code, and pipes do that in two calls, with a page of the application in between, and read responses that are not standard.
 */

type Send = (
  as: oauth.AuthorizationServer,
  client: oauth.Client,
  authentication: oauth.ClientAuth,
  options: oauth.TokenEndpointRequestOptions,
) => Promise<Response>;

type Process = (
  as: oauth.AuthorizationServer,
  client: oauth.Client,
  response: Response,
) => Promise<oauth.TokenEndpointResponse>;

/**
 * Exchanges an authorization code (RFC 6749 section 4.1.3, RFC 7636 section 4.5). The parameters are those that
 * `validateAuthResponse` passed.
 * @throws ProviderFailure
 */
export const exchangeCode = (
  server: ProviderServer,
  client: ProviderClient,
  code: { parameters: URLSearchParams; redirectUri: string; verifier: string | undefined },
): Promise<TokenSet> =>
  call(
    server,
    client,
    (as, own, authentication, options) =>
      oauth.authorizationCodeGrantRequest(
        as,
        own,
        authentication,
        code.parameters,
        code.redirectUri,
        code.verifier ?? oauth.nopkce,
        options,
      ),
    oauth.processAuthorizationCodeResponse,
  );

/** Refreshes an access token (RFC 6749 section 6). @throws ProviderFailure */
export const refreshToken = (server: ProviderServer, client: ProviderClient, token: string): Promise<TokenSet> =>
  call(
    { ...server, tokenUrl: server.refreshUrl ?? server.tokenUrl },
    client,
    (as, own, authentication, options) => oauth.refreshTokenGrantRequest(as, own, authentication, token, options),
    oauth.processRefreshTokenResponse,
  );

/** Requests a token by the client credentials grant (RFC 6749 section 4.4). @throws ProviderFailure */
export const exchangeClientCredentials = (
  server: ProviderServer,
  client: ProviderClient,
  parameters: Record<string, string>,
): Promise<TokenSet> =>
  call(
    server,
    client,
    (as, own, authentication, options) =>
      oauth.clientCredentialsGrantRequest(as, own, authentication, parameters, options),
    oauth.processClientCredentialsResponse,
  );

async function call(server: ProviderServer, client: ProviderClient, send: Send, process: Process): Promise<TokenSet> {
  const as = { issuer: server.issuer, token_endpoint: server.tokenUrl };
  const own = { client_id: client.clientId };
  const secrets: string[] = [];
  const options = {
    [oauth.customFetch]: tokenFetch(server, secrets),
    // The egress guard decides whether plain http is allowed: it is not, unless a deployment exempts an address.
    [oauth.allowInsecureRequests]: true,
  };
  try {
    const response = await send(as, own, chooseAuthentication(server, client), options);
    return tokenSet(await process(as, own, response), server);
  } catch (error) {
    const failure = toFailure(error);
    throw failure instanceof ProviderFailure ? failure.without(secrets) : failure;
  }
}

function chooseAuthentication({ authenticateVia }: TokenEndpoint, { clientSecret }: ProviderClient): oauth.ClientAuth {
  if (clientSecret === undefined) return oauth.None();
  return authenticateVia === 'basic_auth_header'
    ? oauth.ClientSecretBasic(clientSecret)
    : oauth.ClientSecretPost(clientSecret);
}

/**
 * A fetch through the egress guard that sends requests in the provider's form and returns responses in the standard's.
 * @param secrets Collects the secrets of the request, which must not be repeated.
 */
function tokenFetch({ tokenBody, errorAliases }: TokenEndpoint, secrets: string[]) {
  const send = egress().fetch({ timeoutMs: TOKEN_TIMEOUT_MS, maxBytes: MAX_BYTES });
  return async (url: string, options: oauth.CustomFetchOptions<'POST', URLSearchParams>): Promise<Response> => {
    const isJson = tokenBody === 'application/json';
    secrets.push(...listSecrets(new Headers(options.headers), options.body));
    const response = await send(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...options.headers, 'content-type': isJson ? tokenBody : `${tokenBody};charset=UTF-8` },
      body: isJson ? JSON.stringify(Object.fromEntries(options.body)) : options.body.toString(),
    });
    const contentType = response.headers.get('content-type') ?? '';
    const raw = { status: response.status, contentType, text: await response.text() };
    const received = normalizeTokenResponse(raw, { errorAliases, now: clock.now() });
    if (received.kind === 'token') return Response.json(received.body);
    if (received.kind !== 'error') throw new ProviderFailure(received.kind, `http_${raw.status}`);
    const { error, description } = received;
    const body = { error, ...(description === null ? {} : { error_description: description }) };
    return Response.json(body, { status: 400 });
  };
}

function tokenSet(response: oauth.TokenEndpointResponse, { assumedLifetimeSeconds }: TokenEndpoint): TokenSet {
  const { access_token, refresh_token, expires_in, scope, token_type: _type, ...metadata } = response;
  const lifetimeSeconds = expires_in ?? assumedLifetimeSeconds;
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    lifetimeSeconds,
    expiresAt:
      lifetimeSeconds === undefined ? undefined : new Date(clock.now() + lifetimeSeconds * 1_000).toISOString(),
    scopes: scope === undefined ? undefined : splitScopes(scope),
    metadata: withoutTokens(metadata),
  };
}

/** The members of a response that callers may see: no credentials, at any depth. */
function withoutTokens(value: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries(value).filter(([name]) => !/token|secret|password/i.test(name));
  return Object.fromEntries(
    kept.map(([name, item]) => [
      name,
      typeof item === 'object' && item !== null && !Array.isArray(item)
        ? withoutTokens(item as Record<string, unknown>)
        : item,
    ]),
  );
}

function toFailure(error: unknown): unknown {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if (at instanceof ProviderFailure) return at;
    if (at instanceof EgressError) return failureOfEgress(at);
    if (at instanceof oauth.ResponseBodyError) {
      return new ProviderFailure(chooseKind(at.error), at.error, at.error_description ?? null);
    }
    if (at instanceof oauth.OperationProcessingError) return new ProviderFailure('malformed', at.code ?? null);
  }
  return error;
}

function chooseKind(error: string): ProviderFailure['kind'] {
  if (error === 'invalid_grant') return 'invalid_grant';
  return error === 'invalid_client' || error === 'unauthorized_client' ? 'invalid_client' : 'rejected';
}
