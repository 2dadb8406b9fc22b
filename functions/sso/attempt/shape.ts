/** A check of a response with its outcome. */
export interface AttemptCheck {
  check: string;
  outcome: 'passed' | 'failed' | 'not_reached' | 'not_applicable';
  detail?: string | undefined;
}

/** The profile that the attribute maps of a connection give, complete or not. */
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
  /** Claims of the ID token, or attributes of the assertion, as the provider names them: only verified ones. */
  claims: Record<string, unknown>;
  /** True if there were more than fit. */
  isCut: boolean;
  /** The NameID or `sub`. */
  subject?: string | undefined;
  profile?: MappedValues | undefined;
  /** The AuthnContextClassRef, or `acr` and `amr`; absent in older rows. */
  contexts?: readonly string[] | undefined;
  /** The time of the authentication at the provider, in milliseconds since the epoch. */
  authenticatedAt?: number | undefined;
}

/** The parts of the code flow, in their order. */
export const OIDC_CHECKS = ['authorization_response', 'token_response', 'id_token'] as const;

/** A part of the code flow in which an exchange can fail. */
export type OidcCheck = (typeof OIDC_CHECKS)[number];
