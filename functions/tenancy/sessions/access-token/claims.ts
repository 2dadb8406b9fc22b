import type { Claims } from '../../../kernel/tokens/issuer.ts';

/** A user in the form of the API; a JWT template can use all of its members. */
export type UserClaims = Claims & { id: string };

/** The organization's grants to the session's user. Empty lists are left out of the token. */
export interface MembershipClaims {
  /** The slug of the role. */
  role?: string | undefined;
  /** The slugs of all roles. */
  roles?: readonly string[] | undefined;
  permissions?: readonly string[] | undefined;
  /** True if permissions are omitted because they take too many bytes. */
  permissions_omitted?: true | undefined;
  entitlements?: readonly string[] | undefined;
  /** Further members are only available to the JWT template. */
  readonly [member: string]: unknown;
}

/** The subject of an access token. */
export interface TokenSubject {
  user: UserClaims;
  /** The session's organization, in the form of the API. */
  organization?: Claims | undefined;
  membership?: MembershipClaims | undefined;
  /** Slugs of the feature flags that are on for the user or the session's organization. */
  featureFlags?: readonly string[] | undefined;
}

/** The error for claims of a user that do not fit into an access token, whose response has the code `token_too_big`. */
export class TokenTooBig extends Error {
  override name = 'TokenTooBig';

  constructor() {
    super('The access token would be larger than clients can be expected to carry');
  }
}
