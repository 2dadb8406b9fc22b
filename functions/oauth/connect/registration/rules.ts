import { isLoopback, isProblem, readUri } from '../../../tenancy/modules/client-settings/public.ts';
import { withoutTurns } from '../../../kernel/pages/words/direction.ts';
import { readKeys } from '../client-assertion/rules.ts';
import type { ClientMetadata } from './schema.ts';

/** The grants of a client that registered itself. */
export const GRANT_TYPES = ['authorization_code', 'refresh_token'] as const;

/** The authentication methods that a client may register. */
export const AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const;

export type AuthMethod = (typeof AUTH_METHODS)[number];

/** The reason for rejecting a registration (RFC 7591 section 3.2.2). */
export interface MetadataFault {
  kind: 'redirect_uri' | 'metadata';
  message: string;
}

/** The first redirect URI that cannot be registered, with the reason. */
function findUriFault(uris: readonly string[], policy: 'loopback' | 'any'): MetadataFault | undefined {
  const fault = (message: string): MetadataFault => ({ kind: 'redirect_uri', message });
  if (uris.length === 0) return fault('redirect_uris needs at least one URI.');
  for (const uri of uris) {
    const read = readUri(uri);
    if (isProblem(read)) return fault(`${uri} ${read.message}.`);
    if (read.wildcard !== undefined) return fault(`${uri} may not contain a "*".`);
    const { protocol, hostname } = new URL(uri);
    const isLocal = protocol === 'http:' && isLoopback(hostname);
    if (policy === 'loopback' && !isLocal)
      return fault(`${uri} is not http on a loopback host, the only kind that may register.`);
  }
  return undefined;
}

/** Reports whether a text can be the URL of a key set. The egress guard checks the host when the set is fetched. */
export function isKeysUri(text: string): boolean {
  const read = readUri(text, { ownSchemes: false });
  return !isProblem(read) && read.wildcard === undefined;
}

/** Checks what a client registers; RFC 7591 section 2 lets a server reject what it does not support. */
export function findMetadataFault(metadata: ClientMetadata, policy: 'loopback' | 'any'): MetadataFault | undefined {
  const fault = (message: string): MetadataFault => ({ kind: 'metadata', message });
  const { token_endpoint_auth_method: method, grant_types: grants, response_types: responses } = metadata;
  if (method !== undefined && !(AUTH_METHODS as readonly string[]).includes(method)) {
    return fault(`token_endpoint_auth_method is one of ${AUTH_METHODS.join(', ')}.`);
  }
  if (grants !== undefined && !grants.includes('authorization_code')) {
    return fault('grant_types must have "authorization_code".');
  }
  const { jwks, jwks_uri: keysUri } = metadata;
  if (jwks !== undefined && keysUri !== undefined) return fault('jwks and jwks_uri exclude each other.');
  const read = jwks === undefined ? undefined : readKeys(jwks);
  if (read !== undefined && 'fault' in read) return fault(`jwks ${read.fault}.`);
  if (keysUri !== undefined && !isKeysUri(keysUri)) {
    return fault('jwks_uri must be https, without fragment and user name.');
  }
  if (method === 'private_key_jwt' && jwks === undefined && keysUri === undefined) {
    return fault('private_key_jwt needs jwks or jwks_uri.');
  }
  if (responses !== undefined && !responses.includes('code')) return fault('response_types must have "code".');
  return findUriFault(metadata.redirect_uris ?? [], policy);
}

/**
 * The displayed name of a client: its own, otherwise the host of its first redirect URI. Each run of white space becomes one
 * space, and characters that are not visible are removed, because the client itself chose it.
 */
export function readClientName({ client_name: name, redirect_uris: [first = ''] = [] }: ClientMetadata): string {
  const own = withoutTurns((name ?? '').replace(/[\s\p{Cc}]+/gu, ' ').replaceAll('\u2060', '')).trim();
  const host = URL.canParse(first) ? new URL(first).host : '';
  return [...(own === '' ? host || first : own)].slice(0, 100).join('');
}
