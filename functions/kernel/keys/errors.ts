/**
 * A sealed value that cannot be read back where it stands: altered, truncated, sealed for another record or scope,
 * or sealed under another secret. Trying again changes nothing. The message says nothing of the value.
 */
export class SealedValueError extends Error {
  readonly code = 'unreadable';
  readonly retryable = false;

  constructor(cause?: unknown) {
    super('The sealed value cannot be read.', cause === undefined ? undefined : { cause });
    this.name = 'SealedValueError';
  }
}

/** The key service is throttling or cannot be reached: the same call may succeed in a moment (503, Retry-After). */
export class KeyServiceUnavailable extends Error {
  readonly code = 'key_service_unavailable';
  readonly retryable = true;

  constructor(cause: unknown) {
    super('The key service is not available.', { cause });
    this.name = 'KeyServiceUnavailable';
  }
}

/** The key is disabled, gone or out of reach: nothing changes until its owner acts. */
export class KeyRefused extends Error {
  readonly code = 'key_refused';
  readonly retryable = false;

  constructor(cause: unknown) {
    super('The key may not be used.', { cause });
    this.name = 'KeyRefused';
  }
}
