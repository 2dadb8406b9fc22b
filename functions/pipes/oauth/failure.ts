import type { EgressError } from '../../kernel/egress/egress.ts';
import { declareError, type Failure } from '../../kernel/errors.ts';
import { cutText } from '../../kernel/text.ts';
import { withoutSecrets } from './echo.ts';

/** How a call of a provider's token endpoint failed. */
export type ProviderFailureKind =
  /** The grant is dead: revoked, expired or used up (RFC 6749 section 5.2, `invalid_grant`). */
  | 'invalid_grant'
  /** The client is not accepted: its id, its secret, or that it may do this at all. */
  | 'invalid_client'
  /** Refused for another reason that a repetition does not change. */
  | 'refused'
  /** A time-out, a 5xx, a 429 or a broken line: nothing is known of the grant. */
  | 'unavailable'
  /** The address may not be called. */
  | 'blocked'
  /** The answer is not one of RFC 6749. */
  | 'malformed';

/** Characters of a provider's text that are looked at. */
const MOST_READ = 4_000;

/**
 * A failed call of a provider. What it says is the provider's own, for the environment's developers; a browser is told the
 * kind only. Whoever makes one from an answer strikes out what was sent: see {@link ProviderFailure.without}.
 */
export class ProviderFailure extends Error {
  readonly kind: ProviderFailureKind;
  /** The provider's `error` and `error_description`. */
  readonly providerError: string | null;
  readonly providerDescription: string | null;
  /** Both longer than they are kept: a secret must not be cut to a piece that is not recognized. */
  readonly #said: readonly (string | null)[];

  constructor(kind: ProviderFailureKind, error: string | null = null, description: string | null = null) {
    super(`The provider's token endpoint failed: ${kind}`);
    this.name = 'ProviderFailure';
    this.kind = kind;
    this.providerError = error === null ? null : cutText(error, 0, 200);
    this.providerDescription = description === null ? null : cutText(description, 0, 500);
    this.#said = [error, description].map((text) => text && cutText(text, 0, MOST_READ));
  }

  /** The same failure without what was sent to the provider, wherever its answer repeats that. */
  without(secrets: readonly string[]): ProviderFailure {
    const [error, description] = this.#said.map((text) => text && withoutSecrets(text, secrets));
    return new ProviderFailure(this.kind, error, description);
  }
}

/** What the egress guard refused or could not reach, as a failed call. */
export const failureOfEgress = (error: EgressError): ProviderFailure =>
  new ProviderFailure(error.retryable ? 'unavailable' : 'blocked', error.code, error.message);

export const providerUnavailable = declareError({
  status: 503,
  code: 'provider_unavailable',
  message: 'The provider did not respond in time or failed. The connection is unchanged; retry.',
});

export const providerRefused = declareError({
  status: 400,
  code: 'provider_refused',
  message: 'The provider rejected the request. Check the credentials and the settings of the integration.',
});

export const providerErrors = [providerUnavailable, providerRefused] as const;

/** Seconds after which a provider that did not answer is worth another try. */
const RETRY_AFTER_SECONDS = 5;

/** The answer to a caller whose request met a failed provider. */
export function refusalOf(
  failure: ProviderFailure,
  fail: (error: (typeof providerErrors)[number], details?: { message?: string; retryAfter?: number }) => Failure,
): Failure {
  if (failure.kind === 'unavailable') return fail(providerUnavailable, { retryAfter: RETRY_AFTER_SECONDS });
  const said = failure.providerDescription ?? failure.providerError;
  const message = `${providerRefused.message}${said === null ? '' : ` It said: ${said}`}`;
  return fail(providerRefused, { message });
}
