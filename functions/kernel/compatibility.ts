/** Names that clients of the original API use. Such a client needs no change except the base URL. */

/** The readable cookie that shows the official browser client, before any request, whether a browser has a session. */
export const SESSION_MARKER = 'workos-has-session';

/** Path segments of the contract, with the vendor's own spelling. */
const ALIASES: Readonly<Record<string, string>> = {
  hosted: 'authkit',
  hosted_oauth_resources: 'authkit_oauth_resources',
};

/** The path of an environment's OAuth endpoints. */
const OAUTH_SERVER = '/oauth2/{clientId}/';

/**
 * The OAuth endpoints that can also be requested without an environment in the path, as in the original service:
 * `/oauth2/token`. The client in the request determines the environment. The registration endpoint has no such path, since
 * its requests have no client yet.
 */
const AT_ROOT: ReadonlySet<string> = new Set([
  ...['authorize', 'device_authorization', 'end_session', 'introspection', 'jwks', 'par', 'revocation', 'token'],
  'userinfo',
]);

/** Paths that an operation had below `/x/` before clients of the original API had a path for it. */
const FORMERLY: Readonly<Record<string, string>> = {
  '/agents/registrations/{id}/revoke': '/x/agents/registrations/{id}/revoke',
};

/** The spellings of a path for the same operation; the contract's own first. */
export function listSpellings(path: string): string[] {
  const endpoint = path.startsWith(OAUTH_SERVER) ? path.slice(OAUTH_SERVER.length) : '';
  if (AT_ROOT.has(endpoint)) return [path, `/oauth2/${endpoint}`];
  const former = FORMERLY[path];
  if (former !== undefined) return [path, former];
  const aliased = path
    .split('/')
    .map((segment) => ALIASES[segment] ?? segment)
    .join('/');
  return aliased === path ? [path] : [path, aliased];
}

/** The member of an error with the address of a sign-in that gives a missing proof, as official framework clients read it. */
export const HOSTED_REDIRECT_MEMBER = 'authkit_redirect_url';

/** The provider of an authorization request in the contract's spelling. */
export const canonicalProvider = (provider: string): string => (provider === 'authkit' ? 'hosted' : provider);

const VENDOR_GRANT = /^urn:[a-z0-9][a-z0-9-]{0,31}:oauth:grant-type:(.+)$/i;

/**
 * A grant type without its vendor prefix: `urn:<any>:oauth:grant-type:magic-auth:code` is `magic-auth:code`. The IETF's
 * own (`urn:ietf:params:…`) and plain ones are unchanged.
 */
export function canonicalGrant(grantType: string): string {
  if (grantType.startsWith('urn:ietf:')) return grantType;
  return VENDOR_GRANT.exec(grantType)?.[1] ?? grantType;
}

/** Reports whether a grant type is that of the claim of an agent: `urn:<any>:agent-auth:grant-type:claim`. */
export const isClaimGrant = (grantType: string): boolean =>
  /^urn:[a-z0-9][a-z0-9-]{0,31}:agent-auth:grant-type:claim$/i.test(grantType);

/** The claim grant as metadata names it, with the vendor's own name. */
export const CLAIM_GRANT = 'urn:workos:agent-auth:grant-type:claim';

/** The header names of the vendor-style signature: this service's, and that of the SDKs' examples. */
export const SIGNATURE_HEADERS: readonly string[] = ['Gatehouse-Signature', 'WorkOS-Signature'];
