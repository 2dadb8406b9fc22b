import type * as OpenIdClient from 'openid-client';

import { egress } from '../../../kernel/egress/shared.ts';
import type { OidcPart } from '../connection/entity.ts';
import type { ConnectionSecrets } from '../connection/secrets.ts';
import { LruMap } from '../../../kernel/memory.ts';

/** Time-out of one request in ms; the maximum bytes of a response follow. */
const TIMEOUT_MS = 6_000;
const MAX_BYTES = 262_144;

/**
 * Loads the protocol library, which is a separate file in the deployed function: it is some 60 KiB that only sign-ins at
 * OpenID providers need.
 */
export const loadOpenIdClient = (): Promise<typeof OpenIdClient> => import('openid-client');

/** Keys of providers by their URL, with the time of their fetch: the protocol library fetches them again after five minutes. */
const keys = new LruMap<OpenIdClient.ExportedJWKSCache>(200);

/** The algorithm of a connection's ID tokens: the configured one, otherwise RS256, otherwise the first asymmetric one. */
export function algorithmIn({ idTokenSignatureAlgorithm, metadata }: OidcPart): string {
  const supported = metadata.id_token_signing_alg_values_supported ?? ['RS256'];
  return (
    idTokenSignatureAlgorithm ??
    (supported.includes('RS256') ? 'RS256' : supported.find((one) => /^(?:RS|PS|ES|Ed)/.test(one))) ??
    'RS256'
  );
}

/** Reports whether ID tokens are authenticated by the client's secret. */
export const isSymmetric = (algorithm: string): boolean => algorithm.startsWith('HS');

async function makeAuthentication(
  { tokenAuthenticationMethod: method }: OidcPart,
  { clientSecret, jwtKey }: ConnectionSecrets,
): Promise<OpenIdClient.ClientAuth> {
  const oauth = await loadOpenIdClient();
  if (method === 'private_key_jwt') {
    const { importPKCS8 } = await import('jose');
    return oauth.PrivateKeyJwt({ key: await importPKCS8(jwtKey ?? '', 'RS256') });
  }
  return method === 'client_secret_post'
    ? oauth.ClientSecretPost(clientSecret ?? '')
    : oauth.ClientSecretBasic(clientSecret ?? '');
}

/** Makes the provider of a connection for the protocol library, for the requests of one sign-in. */
export async function openProvider(oidc: OidcPart, secrets: ConnectionSecrets): Promise<OpenIdClient.Configuration> {
  const oauth = await loadOpenIdClient();
  const { metadata, clientId } = oidc;
  const algorithm = algorithmIn(oidc);
  const client = { id_token_signed_response_alg: algorithm };
  const server = Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined));
  const config = new oauth.Configuration(
    server as unknown as OpenIdClient.ServerMetadata,
    clientId,
    client,
    await makeAuthentication(oidc, secrets),
  );
  const send = egress().fetch({ timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
  config[oauth.customFetch] = (url, options) => send(url, { ...options, redirect: 'manual' } as RequestInit);
  // The egress guard decides whether plain http is allowed: it is not, unless a deployment exempts an address.
  oauth.allowInsecureRequests(config);
  if (!isSymmetric(algorithm)) {
    oauth.enableNonRepudiationChecks(config);
    const known = keys.get(metadata.jwks_uri);
    if (known !== undefined) oauth.setJwksCache(config, known);
  }
  return config;
}

/** Stores the keys that a sign-in has fetched in the cache. */
export async function keepKeys(config: OpenIdClient.Configuration, { metadata }: OidcPart): Promise<void> {
  const { getJwksCache } = await loadOpenIdClient();
  const fetched = getJwksCache(config);
  if (fetched !== undefined) keys.set(metadata.jwks_uri, fetched);
}
