/** Maximum bytes of a template, and of its claims. */
export const MOST_CONTENT_BYTES = 4_096;
export const MOST_CLAIMS_BYTES = 3_072;

/** The claims that a template cannot set: registered ones (RFC 7519 section 4.1) and the service's own. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti'],
  ...['sid', 'client_id', 'org_id', 'act', 'auth_time'],
  ...['role', 'roles', 'permissions', 'entitlements', 'feature_flags', 'feature_flags_omitted'],
]);

export const isReserved = (claim: string): boolean => RESERVED.has(claim);
