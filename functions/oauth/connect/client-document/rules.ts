import { readKeys, type Jwk } from '../client-assertion/rules.ts';
import { findMetadataFault, readClientName } from '../registration/rules.ts';
import { ClientMetadata } from '../registration/schema.ts';

/** The minimum and the maximum number of seconds for which a document is cached. */
const SHORTEST_SECONDS = 300;
const LONGEST_SECONDS = 86_400;

/**
 * Reports whether a text can be the client id of a metadata document: a normalized URL with a path, without fragment, user
 * information and dot segments (draft-ietf-oauth-client-id-metadata-document section 3). The egress guard checks the scheme
 * and the host.
 */
export function isClientUrl(text: string): boolean {
  if (!URL.canParse(text) || text.length > 1_000) return false;
  const { href, pathname, hash, username, password, protocol } = new URL(text);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return (
    isWeb &&
    href === text &&
    pathname !== '/' &&
    hash === '' &&
    username === '' &&
    password === '' &&
    !text.includes('#')
  );
}

/**
 * The number of seconds for which a document is cached: its own `max-age` (RFC 9111 section 5.2.2.1), but at least five
 * minutes and at most a day.
 */
export function readKeptSeconds(cacheControl: string | null): number {
  const given = /(?:^|[\s,])max-age=(\d{1,9})(?:$|[\s,])/i.exec(cacheControl ?? '')?.[1];
  const isForbidden = /(?:^|[\s,])no-(?:store|cache)(?:$|[\s,])/i.test(cacheControl ?? '');
  const seconds = given === undefined || isForbidden ? 0 : Number(given);
  return Math.min(Math.max(seconds, SHORTEST_SECONDS), LONGEST_SECONDS);
}

/** The client that a document describes. */
export interface DescribedClient {
  name: string;
  redirectUris: string[];
  tokenAuthMethod: 'none' | 'private_key_jwt';
  keys: Jwk[] | undefined;
  keysUri: string | undefined;
  /** The scopes that the client may request; undefined for all that a client of this kind may have. */
  scope: string | undefined;
}

/**
 * Reads the client of a document, or returns what is wrong with the document. A document is public, so its client has no
 * secret and no authentication method that needs one (draft-ietf-oauth-client-id-metadata-document section 4.1).
 */
export function readClientDocument(
  document: unknown,
  url: string,
  policy: 'loopback' | 'any',
): DescribedClient | { fault: string } {
  const parsed = ClientMetadata.safeParse(document);
  const {
    client_id: id,
    client_secret: secret,
    client_secret_expires_at: secretUntil,
  } = (document ?? {}) as Record<string, unknown>;
  if (!parsed.success) return { fault: `The member ${parsed.error.issues[0]?.path.join('.') ?? ''} is not valid.` };
  if (id !== url) return { fault: 'Its client_id must be the address of the document, as the same text.' };
  if (secret !== undefined || secretUntil !== undefined) return { fault: 'It must not have a client secret.' };
  const {
    token_endpoint_auth_method: method = 'none',
    redirect_uris: uris = [],
    jwks,
    jwks_uri: keysUri,
    scope,
  } = parsed.data;
  if (method !== 'none' && method !== 'private_key_jwt') {
    return { fault: 'Its token_endpoint_auth_method must be "none" or "private_key_jwt".' };
  }
  const fault = findMetadataFault(parsed.data, policy);
  if (fault !== undefined) return { fault: fault.message };
  const keys = method === 'none' || jwks === undefined ? undefined : readKeys(jwks);
  if (keys !== undefined && 'fault' in keys) return { fault: `Its jwks ${keys.fault}.` };
  return {
    name: readClientName(parsed.data),
    redirectUris: [...new Set(uris)],
    tokenAuthMethod: method,
    keys: keys?.keys,
    keysUri: method === 'none' ? undefined : keysUri,
    scope,
  };
}
