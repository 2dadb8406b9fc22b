/** Maximum bytes of a template, and of its claims. */
export const MOST_CONTENT_BYTES = 4_096;
export const MOST_CLAIMS_BYTES = 3_072;

/** The claims that a template cannot set: registered ones (RFC 7519 section 4.1) and the service's own. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti'],
  ...['sid', 'client_id', 'org_id', 'act', 'auth_time'],
  ...['role', 'roles', 'permissions', 'entitlements', 'feature_flags', 'feature_flags_omitted'],
]);

/**
 * Claims that were reserved later: `impersonator` is the service's own, and clients reject the token of a user that has one of
 * the others. A template from before is valid, and its token is without them.
 */
const RESERVED_LATER: ReadonlySet<string> = new Set(['impersonator', 'sub_profile', 'sub_type']);

/**
 * Reports whether a template cannot set a claim.
 * @param isStored true for a template that may have been stored before some names were reserved
 */
export const isReserved = (claim: string, isStored = false): boolean =>
  RESERVED.has(claim) || (!isStored && RESERVED_LATER.has(claim));
