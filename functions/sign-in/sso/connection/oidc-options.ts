import { egress } from '../../../kernel/egress/shared.ts';
import { EgressError } from '../../../kernel/egress/egress.ts';
import { lastFour } from '../../../kernel/text.ts';
import { SIGNING_PAIR, storedCertificate } from './certificate.ts';
import type { OidcPart, ProviderMetadata } from './entity.ts';
import {
  algorithmNotSupported,
  clientSecretNotAccepted,
  clientSecretRequired,
  discoveryMustUseHttps,
  keyPairNotAccepted,
  notVerified,
  tokenMethodNotSupported,
} from './errors.ts';
import { addressIssues, reject } from './reject.ts';
import { keyPairIn } from './saml-options.ts';
import type { CreateConnectionBody, PatchConnectionBody } from './schema.ts';
import type { ConnectionSecrets } from './secrets.ts';
import { selfSigned } from './self-signed.ts';

type Body = NonNullable<CreateConnectionBody['oidc_options']>;
type Patch = NonNullable<PatchConnectionBody['oidc_options']>;

const TIMEOUT_MS = 6_000;
const MAX_BYTES = 262_144;
const WELL_KNOWN = '/.well-known/openid-configuration';

/** The options of a connection with its secrets. */
export interface OidcResult {
  oidc: OidcPart;
  secrets: ConnectionSecrets;
}

/** Reads the OpenID Connect options of a new connection, and fetches the provider's discovery document. */
export async function oidcOptions(body: Body): Promise<OidcResult> {
  const { token_authentication_method: method, client_secret: clientSecret, jwt_signing_key_pair: pair } = body;
  checkSecret(method, clientSecret, false);
  if (pair !== undefined && method !== 'private_key_jwt') throw reject(keyPairNotAccepted);
  const metadata = await discover(body.discovery_endpoint);
  checkMethod(metadata, method);
  checkAlgorithm(metadata, body.id_token_signature_algorithm);
  const signing = method === 'private_key_jwt' ? await assertionPair(pair) : undefined;
  return {
    oidc: {
      discoveryEndpoint: body.discovery_endpoint,
      metadata: metadata.stored,
      clientId: body.client_id,
      clientSecretLastFour: clientSecret && lastFour(clientSecret),
      redirectUri: body.redirect_uri,
      pkce: body.pkce,
      tokenAuthenticationMethod: method,
      jwtCertificate: signing?.stored,
      idTokenSignatureAlgorithm: body.id_token_signature_algorithm,
      fetchUserInfo: body.fetch_user_info,
    },
    secrets: { clientSecret, jwtKey: signing?.key },
  };
}

/** Reads the options that complete a draft. @throws Failure */
export function firstOidc(body: Patch): Promise<OidcResult> {
  const { discovery_endpoint, client_id, pkce = true, redirect_uri } = body;
  if (discovery_endpoint === undefined || client_id === undefined) {
    throw reject(notVerified, 'A draft needs discovery_endpoint and client_id together.');
  }
  const token_authentication_method = body.token_authentication_method ?? 'client_secret_basic';
  const own = redirect_uri ?? undefined;
  return oidcOptions({ ...body, discovery_endpoint, client_id, pkce, token_authentication_method, redirect_uri: own });
}

/** Applies the changes of a request to the options of a connection. */
export async function changedOidc(former: OidcPart, secrets: ConnectionSecrets, body: Patch): Promise<OidcResult> {
  const method = body.token_authentication_method ?? former.tokenAuthenticationMethod;
  const isElsewhere = body.discovery_endpoint !== undefined && body.discovery_endpoint !== former.discoveryEndpoint;
  // The stored secret is removed if the endpoint changes, because a caller with an API key must not be able to send it to
  // any address.
  const kept = isElsewhere ? undefined : secrets.clientSecret;
  checkSecret(method, body.client_secret, method === former.tokenAuthenticationMethod && kept !== undefined);
  const isAsked = isElsewhere || method !== former.tokenAuthenticationMethod || body.id_token_signature_algorithm;
  const metadata = isAsked ? await discoverFor(method, body, former.discoveryEndpoint) : undefined;
  const usesKey = method === 'private_key_jwt';
  const clientSecret = usesKey ? undefined : (body.client_secret ?? kept);
  const signing = usesKey && former.jwtCertificate === undefined ? await assertionPair(undefined) : undefined;
  return {
    oidc: {
      ...former,
      ...changedMembers(body),
      metadata: metadata ?? former.metadata,
      clientSecretLastFour: clientSecret && lastFour(clientSecret),
      tokenAuthenticationMethod: method,
      jwtCertificate: signing?.stored ?? former.jwtCertificate,
    },
    secrets: { ...secrets, clientSecret, jwtKey: signing?.key ?? secrets.jwtKey },
  };
}

/** Fetches the discovery document for a request, whose provider must support the requested method. */
async function discoverFor(method: string, body: Patch, endpoint: string): Promise<ProviderMetadata> {
  const found = await discover(body.discovery_endpoint ?? endpoint);
  checkMethod(found, method);
  checkAlgorithm(found, body.id_token_signature_algorithm);
  return found.stored;
}

/** The members of a request that are stored unchanged. */
function changedMembers(body: Patch): Partial<OidcPart> {
  const given = {
    discoveryEndpoint: body.discovery_endpoint,
    clientId: body.client_id,
    pkce: body.pkce,
    idTokenSignatureAlgorithm: body.id_token_signature_algorithm,
    fetchUserInfo: body.fetch_user_info,
  };
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...(body.redirect_uri === undefined ? {} : { redirectUri: body.redirect_uri ?? undefined }),
  };
}

function checkSecret(method: Body['token_authentication_method'], secret: string | undefined, hasOne: boolean): void {
  if (method === 'private_key_jwt') {
    if (secret !== undefined) throw reject(clientSecretNotAccepted);
  } else if (secret === undefined && !hasOne) throw reject(clientSecretRequired);
}

/** The key that signs client assertions (RFC 7523): the caller's own, or a new one. */
async function assertionPair(pair: Body['jwt_signing_key_pair']) {
  if (pair === undefined) return selfSigned(SIGNING_PAIR, 'client assertions');
  const { certificate, key } = keyPairIn(pair);
  return { stored: storedCertificate(SIGNING_PAIR, certificate), key };
}

interface Discovered {
  stored: ProviderMetadata;
  document: Record<string, unknown>;
}

/**
 * Fetches the discovery document of a provider (OpenID Connect Discovery 1.0 section 4). Its issuer must match the URL, and
 * all its endpoints must be public.
 * @throws Failure `discovery_endpoint_must_use_https`, `connection_could_not_be_verified`
 */
async function discover(endpoint: string): Promise<Discovered> {
  if (addressIssues({ endpoint }).length > 0 || !URL.canParse(endpoint)) throw reject(discoveryMustUseHttps);
  const document = await fetchJson(endpoint);
  const text = (name: string): string | undefined => (typeof document[name] === 'string' ? document[name] : undefined);
  const list = (name: string): string[] | undefined =>
    Array.isArray(document[name]) ? document[name].filter((one) => typeof one === 'string').slice(0, 100) : undefined;
  const [issuer, authorization, token, jwks] = [
    text('issuer'),
    text('authorization_endpoint'),
    text('token_endpoint'),
    text('jwks_uri'),
  ];
  if (issuer === undefined || authorization === undefined || token === undefined || jwks === undefined)
    throw reject(notVerified, 'The document at discovery_endpoint lacks the issuer, an endpoint or the keys.');
  if (new URL(endpoint).href !== `${issuer.replace(/\/$/, '')}${WELL_KNOWN}`)
    throw reject(notVerified, 'The issuer in the document is not the one of discovery_endpoint.');
  const optional = {
    userinfo_endpoint: text('userinfo_endpoint'),
    end_session_endpoint: text('end_session_endpoint'),
    revocation_endpoint: text('revocation_endpoint'),
  };
  if (addressIssues({ authorization, token, jwks, ...optional }).length > 0)
    throw reject(notVerified, 'The document at discovery_endpoint names an address that is not public https.');
  const stored: ProviderMetadata = {
    issuer,
    authorization_endpoint: authorization,
    token_endpoint: token,
    jwks_uri: jwks,
    ...optional,
    id_token_signing_alg_values_supported: list('id_token_signing_alg_values_supported'),
    authorization_response_iss_parameter_supported:
      document.authorization_response_iss_parameter_supported === true ? true : undefined,
  };
  return { stored, document };
}

async function fetchJson(url: string): Promise<Record<string, unknown>> {
  try {
    const { status, body } = await egress().send({ method: 'GET', url, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
    const parsed: unknown = status === 200 ? JSON.parse(Buffer.from(body).toString('utf8')) : undefined;
    if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof EgressError) && !(error instanceof SyntaxError)) throw error;
  }
  throw reject(notVerified);
}

function checkMethod({ document }: Discovered, method: string): void {
  const supported = document.token_endpoint_auth_methods_supported;
  if (Array.isArray(supported) && !supported.includes(method)) throw reject(tokenMethodNotSupported);
}

function checkAlgorithm({ stored }: Discovered, algorithm: string | undefined): void {
  const supported = stored.id_token_signing_alg_values_supported;
  if (algorithm !== undefined && supported !== undefined && !supported.includes(algorithm))
    throw reject(algorithmNotSupported);
}
