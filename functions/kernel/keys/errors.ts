/** What sealing or opening can end in. The message is public and says nothing of the value or its key. */
export abstract class KeyError extends Error {
  readonly code: 'unreadable' | 'key_service_unavailable' | 'key_refused';
  /** Whether the same call may succeed in a moment without anybody changing anything. */
  readonly retryable: boolean;

  constructor(code: KeyError['code'], message: string, cause: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.retryable = code === 'key_service_unavailable';
  }
}

/**
 * A sealed value that cannot be read back where it stands: altered, truncated, sealed for another record or scope,
 * or sealed under another secret. Trying again changes nothing.
 */
export class SealedValueError extends KeyError {
  constructor(cause?: unknown) {
    super('unreadable', 'The sealed value cannot be read.', cause);
  }
}

/** The key service is throttling or cannot be reached: answer 503 with Retry-After. */
export class KeyServiceUnavailable extends KeyError {
  constructor(cause: unknown) {
    super('key_service_unavailable', 'The key service is not available.', cause);
  }
}

/** The key is disabled, gone or out of reach: nothing changes until its owner acts. */
export class KeyRefused extends KeyError {
  constructor(cause: unknown) {
    super('key_refused', 'Use of the key was denied.', cause);
  }
}
