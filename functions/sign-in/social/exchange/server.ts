import * as oauth from 'openid-client';

import { egress } from '../../../kernel/egress/shared.ts';
import { LruMap, TtlCache } from '../../../kernel/memory.ts';
import { issuerOf, knownEndpoints } from '../catalogue/find.ts';
import type { Endpoints } from '../catalogue/facts.ts';
import { appleSecret } from './apple-secret.ts';
import type { ProviderClient } from './client.ts';
import { ProviderFailure } from './failure.ts';

/** Time-out of one request in ms; a whole sign-in makes four at most. */
const TIMEOUT_MS = 6_000;
const MAX_BYTES = 262_144;
/**
 * The path of a provider's discovery document (OpenID Connect Discovery 1.0 section 4). Some providers have their keys
 * below it.
 */
const DISCOVERY = '/.well-known/openid-configuration';
/**
 * Time in ms for which discovery documents are cached. They are public and change rarely (OpenID Connect Discovery 1.0
 * section 4).
 */
const REMEMBERED_MS = 600_000;
const MAX_CACHED = 100;

const documents = new TtlCache<Record<string, unknown>>(MAX_CACHED, REMEMBERED_MS);
/** Keys of providers by their URL, with the time of their fetch: the protocol library fetches them again after five minutes. */
const keys = new LruMap<oauth.ExportedJWKSCache>(MAX_CACHED);

/** Makes the provider's server for the protocol library, for the requests of one sign-in. */
export async function openServer(client: ProviderClient): Promise<oauth.Configuration> {
  const { facts, location, clientId } = client;
  const issuer = issuerOf(facts, location);
  const known = knownEndpoints(facts, location);
  const fetch = providerFetch(known);
  const authentication = await chooseAuthentication(client);
  const isKnown = known.authorization !== undefined && known.token !== undefined;
  if (isKnown && (facts.protocol !== 'oidc' || known.jwks !== undefined)) {
    const config = new oauth.Configuration({ issuer, ...makeMetadata(known) }, clientId, undefined, authentication);
    config[oauth.customFetch] = fetch;
    return prepared(config, facts.protocol === 'oidc');
  }
  const config = await oauth.discovery(new URL(issuer), clientId, undefined, authentication, {
    [oauth.customFetch]: fetch,
    execute: [oauth.allowInsecureRequests],
  });
  return prepared(config, true);
}

function prepared(config: oauth.Configuration, hasIdTokens: boolean): oauth.Configuration {
  // The egress guard decides whether plain http is allowed: it is not, unless a deployment exempts an address.
  oauth.allowInsecureRequests(config);
  if (hasIdTokens) {
    // The signature is verified although TLS would be sufficient (OpenID Connect Core 1.0 section 3.1.3.7), so that an
    // attacker must also forge a signature.
    oauth.enableNonRepudiationChecks(config);
    const known = keys.get(config.serverMetadata().jwks_uri ?? '');
    if (known !== undefined) oauth.setJwksCache(config, known);
  }
  return config;
}

/**
 * Caches the keys that a sign-in has fetched for the next one, by their address, so that no configuration uses another
 * one's keys.
 */
export function keepKeys(config: oauth.Configuration): void {
  const [fetched, { jwks_uri: address }] = [oauth.getJwksCache(config), config.serverMetadata()];
  if (fetched !== undefined && address !== undefined) keys.set(address, fetched);
}

const makeMetadata = ({ authorization, token, userinfo, jwks }: Partial<Endpoints>): Partial<oauth.ServerMetadata> => ({
  ...(authorization === undefined ? {} : { authorization_endpoint: authorization }),
  ...(token === undefined ? {} : { token_endpoint: token }),
  ...(userinfo === undefined ? {} : { userinfo_endpoint: userinfo }),
  ...(jwks === undefined ? {} : { jwks_uri: jwks }),
});

async function chooseAuthentication({
  facts,
  clientId,
  clientSecret,
  apple,
}: ProviderClient): Promise<oauth.ClientAuth> {
  if (facts.authenticateVia === 'apple') {
    if (apple === undefined) throw new ProviderFailure('provider_unavailable', 'The provider has no key.');
    return oauth.ClientSecretPost(await appleSecret(clientId, apple));
  }
  if (clientSecret === undefined) throw new ProviderFailure('provider_unavailable', 'The provider has no secret.');
  return facts.authenticateVia === 'header'
    ? oauth.ClientSecretBasic(clientSecret)
    : oauth.ClientSecretPost(clientSecret);
}

/**
 * A fetch through the egress guard. Discovery documents are cached, and the configuration's own endpoints override those in
 * the document.
 */
function providerFetch(known: Partial<Endpoints>): oauth.CustomFetch {
  const send = egress().fetch({ timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
  const ask: oauth.CustomFetch = async (url, options) => {
    const response = await send(url, { ...options, redirect: 'manual' } as RequestInit);
    // The error page of a proxy also means that the provider is unavailable.
    if (response.status >= 500) throw new ProviderFailure('provider_unavailable', 'The provider could not be asked.');
    return response;
  };
  return async (url, options) => {
    if (new URL(url).pathname.endsWith(DISCOVERY)) return discovered(url, options, ask, makeMetadata(known));
    const response = await ask(url, options);
    return options.method === 'POST' ? withHonestStatus(response) : response;
  };
}

async function discovered(
  url: string,
  options: oauth.CustomFetchOptions,
  ask: oauth.CustomFetch,
  own: Partial<oauth.ServerMetadata>,
): Promise<Response> {
  let rejection: Response | undefined;
  const document = await documents.load(url, async () => {
    const response = await ask(url, options);
    if (response.status !== 200) {
      rejection = response;
      return undefined;
    }
    const found = parsed(await response.text());
    if (typeof found?.issuer !== 'string')
      throw new ProviderFailure('invalid_response', 'The provider does not describe itself.');
    return found;
  });
  return rejection ?? Response.json({ ...document, ...own });
}

/**
 * Replaces the status of an error that is reported with 200, as some token endpoints do (GitHub, Slack), by 400 (RFC 6749
 * section 5.2).
 */
async function withHonestStatus(response: Response): Promise<Response> {
  if (response.status !== 200) return response;
  const text = await response.text();
  const body = parsed(text);
  if (typeof body?.error === 'string' && body.access_token === undefined) return Response.json(body, { status: 400 });
  return new Response(text, { status: 200, headers: response.headers });
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
