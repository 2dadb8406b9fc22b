import { clientIdOf } from '../../kernel/authentication/api-key.ts';
import { settings } from '../../kernel/settings.ts';
import type { EnvironmentRecord } from '../../kernel/storage/environment.ts';

/** A JSON object of claims. */
export type Claims = Readonly<Record<string, unknown>>;

/** A user as the caller shows them on the wire; all of it is at the JWT template's hand. */
export type UserClaims = Claims & { id: string };

/** What the session's organization gives its user. Lists that are empty are left out of the token. */
export interface MembershipClaims {
  /** Slug of the role. */
  role?: string | undefined;
  /** Slugs of all roles. */
  roles?: readonly string[] | undefined;
  permissions?: readonly string[] | undefined;
  entitlements?: readonly string[] | undefined;
  feature_flags?: readonly string[] | undefined;
  /** Further members are for the JWT template alone. */
  readonly [member: string]: unknown;
}

/** Whom an access token is about. */
export interface TokenSubject {
  user: UserClaims;
  /** The session's organization, as the caller shows it on the wire. */
  organization?: Claims | undefined;
  membership?: MembershipClaims | undefined;
}

/** `iss` of an environment's tokens: what it was given, else an address of its own below the service's. */
export const issuerOf = ({ id, issuer }: EnvironmentRecord): string =>
  issuer ?? `${settings().GATEHOUSE_BASE_URL}/user_management/${clientIdOf(id)}`;

/** `typ` of the header of an access token. */
export const TOKEN_TYPE = 'JWT';
