/** A check of a response with its outcome. */
export interface AttemptCheck {
  check: string;
  outcome: 'passed' | 'failed' | 'not_reached' | 'not_applicable';
  detail?: string | undefined;
}

/** The profile that the attribute names of a connection result in, complete or not. */
export interface MappedValues {
  idpId?: string | undefined;
  email?: string | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
  name?: string | undefined;
  groups: readonly string[];
  custom: Readonly<Record<string, unknown>>;
}

/** The content of a response and the checks that it passed; encrypted in the table. */
export interface AttemptDetails {
  checks: AttemptCheck[];
  /** Verified claims of the ID token, or verified attributes of the assertion, by the provider's own names. */
  claims: Record<string, unknown>;
  /** True if some were left out because they exceed the limit. */
  isCut: boolean;
  /** The NameID or `sub`. */
  subject?: string | undefined;
  profile?: MappedValues | undefined;
  /** The AuthnContextClassRef, or `acr` and `amr`; absent in older rows. */
  contexts?: readonly string[] | undefined;
  /** The time of the authentication at the provider, in milliseconds since the epoch. */
  authenticatedAt?: number | undefined;
}

/** The steps of the authorization code flow, in their order. */
export const OIDC_CHECKS = ['authorization_response', 'token_response', 'id_token'] as const;

/** A step of the authorization code flow that can fail. */
export type OidcCheck = (typeof OIDC_CHECKS)[number];
