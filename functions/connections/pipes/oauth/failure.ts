import type { EgressError } from '../../../kernel/egress/egress.ts';
import { declareError, type Failure } from '../../../kernel/errors.ts';
import { cutText } from '../../../kernel/text.ts';
import { withoutSecrets } from './echo.ts';

/** The kinds of failures of a call to a provider's token endpoint. */
export type ProviderFailureKind =
  /** The grant is invalid: revoked, expired or used up (RFC 6749 section 5.2, `invalid_grant`). */
  | 'invalid_grant'
  /** The client is rejected: its id, its secret, or its permission for this grant. */
  | 'invalid_client'
  /** Rejected for another reason that a retry does not change. */
  | 'rejected'
  /** A time-out, a 5xx, a 429 or a connected account failure: the state of the grant is not known. */
  | 'unavailable'
  /** The egress guard blocks the address. */
  | 'blocked'
  /** The response does not conform to RFC 6749. */
  | 'malformed';

/** Maximum characters of a provider's text that are read. */
const MOST_READ = 4_000;

/**
 * A failed call to a provider. Its text is the provider's own, for the environment's developers; a browser gets only the
 * kind. Code that makes it from a response removes the secrets that were sent, see {@link ProviderFailure.without}.
 */
export class ProviderFailure extends Error {
  readonly kind: ProviderFailureKind;
  /** The provider's `error` and `error_description`. */
  readonly providerError: string | null;
  readonly providerDescription: string | null;
  /**
   * The texts as received, longer than they are stored: secrets are removed first, because a truncated secret would not be
   * recognized.
   */
  readonly #received: readonly (string | null)[];

  constructor(kind: ProviderFailureKind, error: string | null = null, description: string | null = null) {
    super(`The provider's token endpoint failed: ${kind}`);
    this.name = 'ProviderFailure';
    this.kind = kind;
    this.providerError = error === null ? null : cutText(error, 0, 200);
    this.providerDescription = description === null ? null : cutText(description, 0, 500);
    this.#received = [error, description].map((text) => text && cutText(text, 0, MOST_READ));
  }

  /** The same failure without the secrets of the request, if the response repeats them. */
  without(secrets: readonly string[]): ProviderFailure {
    const [error, description] = this.#received.map((text) => text && withoutSecrets(text, secrets));
    return new ProviderFailure(this.kind, error, description);
  }
}

/** Converts an error of the egress guard to a failed call. */
export const failureOfEgress = (error: EgressError): ProviderFailure =>
  new ProviderFailure(error.retryable ? 'unavailable' : 'blocked', error.code, error.message);

const providerUnavailable = declareError({
  status: 503,
  code: 'provider_unavailable',
  message: 'The provider did not respond in time or failed. The connected account is unchanged; retry.',
});

const providerRejected = declareError({
  status: 400,
  code: 'provider_refused',
  message: 'The provider rejected the request. Check the credentials and the settings of the integration.',
});

export const providerErrors = [providerUnavailable, providerRejected] as const;

/** Value of Retry-After in seconds after a provider did not respond. */
const RETRY_AFTER_SECONDS = 5;

/** The error for a caller whose request failed because of a provider. */
export function publicFailure(
  failure: ProviderFailure,
  fail: (error: (typeof providerErrors)[number], details?: { message?: string; retryAfter?: number }) => Failure,
): Failure {
  if (failure.kind === 'unavailable') return fail(providerUnavailable, { retryAfter: RETRY_AFTER_SECONDS });
  const description = failure.providerDescription ?? failure.providerError;
  const message = `${providerRejected.message}${description === null ? '' : ` It said: ${description}`}`;
  return fail(providerRejected, { message });
}
