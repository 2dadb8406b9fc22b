import type { OAuthTokens } from '../../modules/sign-in-flows/public.ts';

/** A user according to an identity provider, in the same form for both protocols. */
export interface ConnectionIdentity {
  /** The provider's own id of the user, which never changes. */
  idpId: string;
  /** The email address, normalized by `normalizeEmail`. */
  email: string;
  /** True if the provider says that it has not verified the address (`email_verified` is false). */
  isUnverified?: boolean | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
  name?: string | undefined;
  groups: readonly string[];
  custom: Readonly<Record<string, unknown>>;
  raw: Readonly<Record<string, unknown>>;
  /** The time of the authentication at the provider, in milliseconds since the epoch. */
  authenticatedAt?: number | undefined;
  /** The AuthnContextClassRef, or `acr` and `amr`. */
  contexts: readonly string[];
  /** The SessionIndex, or `sid`. */
  sessionId?: string | undefined;
  /** The ID token of OpenID Connect, as a hint for the logout. */
  idToken?: string | undefined;
  /** The tokens of an OpenID provider for its own API. */
  tokens?: OAuthTokens | undefined;
}

/** The identity of a response, before it is known to be complete. */
export type Asserted = Omit<ConnectionIdentity, 'idpId' | 'email'> & {
  idpId: string | undefined;
  email: string | undefined;
};

/** The reason why a response contains no identity: the code for the application, and a sentence. */
export interface IdentityFailure {
  code: 'access_denied' | 'oauth_failed' | 'server_error' | 'login_required';
  message: string;
}

const MOST_RAW_BYTES = 32_768;

/** The raw attributes of a profile, cut at 32 KiB as JSON. */
export function boundedRaw(raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  let bytes = 2;
  const kept = Object.entries(raw).filter(([name, value]) => {
    bytes += Buffer.byteLength(JSON.stringify([name, value]));
    return bytes <= MOST_RAW_BYTES;
  });
  return Object.fromEntries(kept);
}
