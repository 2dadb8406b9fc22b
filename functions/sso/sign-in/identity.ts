import type { OAuthTokens } from '../../sign-in-flows/public.ts';

/** A person as an identity provider asserts them, the same for both protocols. */
export interface ConnectionIdentity {
  /** The provider's own lasting id of the person. */
  idpId: string;
  /** Normalized by `normalizeEmail`. */
  email: string;
  firstName?: string | undefined;
  lastName?: string | undefined;
  name?: string | undefined;
  groups: readonly string[];
  custom: Readonly<Record<string, unknown>>;
  raw: Readonly<Record<string, unknown>>;
  /** The time of the authentication at the provider, in milliseconds since the epoch. */
  authenticatedAt?: number | undefined;
  /** AuthnContextClassRef, or `acr` and `amr`. */
  contexts: readonly string[];
  /** SessionIndex, or `sid`. */
  sessionId?: string | undefined;
  /** OpenID Connect: the ID token, as a hint for the logout. */
  idToken?: string | undefined;
  /** OpenID Connect: the provider's tokens for its own API. */
  tokens?: OAuthTokens | undefined;
}

/** The identity of a response, before it is known to be complete. */
export type Asserted = Omit<ConnectionIdentity, 'idpId' | 'email'> & {
  idpId: string | undefined;
  email: string | undefined;
};

/** Why no identity came of a response: the code for the application, and a sentence. */
export interface IdentityFailure {
  code: 'access_denied' | 'oauth_failed' | 'server_error' | 'login_required';
  message: string;
}

const MOST_RAW_BYTES = 32_768;

/** The raw attributes of a profile: the first ones, up to 32 KiB as JSON. */
export function boundedRaw(raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  let bytes = 2;
  const kept = Object.entries(raw).filter(([name, value]) => {
    bytes += Buffer.byteLength(JSON.stringify([name, value]));
    return bytes <= MOST_RAW_BYTES;
  });
  return Object.fromEntries(kept);
}
