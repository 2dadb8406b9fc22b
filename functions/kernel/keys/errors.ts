/** The errors of encryption and decryption. The message is public and reveals nothing about the value or its key. */
export abstract class KeyError extends Error {
  readonly code: 'unreadable' | 'key_service_unavailable' | 'key_refused';
  /** True if the same call may succeed in a moment without any change. */
  readonly retryable: boolean;

  constructor(code: KeyError['code'], message: string, cause: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.retryable = code === 'key_service_unavailable';
  }
}

/**
 * The error for an encrypted value that cannot be decrypted at this place: altered, truncated, of another record or scope,
 * or encrypted with another secret. A retry does not help.
 */
export class SealedValueError extends KeyError {
  constructor(cause?: unknown) {
    super('unreadable', 'The sealed value cannot be read.', cause);
  }
}

/** The error for a key service that is throttling or unreachable, which responds with 503 and Retry-After. */
export class KeyServiceUnavailable extends KeyError {
  constructor(cause: unknown) {
    super('key_service_unavailable', 'The key service is not available.', cause);
  }
}

/** The error for a key that is disabled, deleted or inaccessible: its owner has to act. */
export class KeyRejected extends KeyError {
  constructor(cause: unknown) {
    super('key_refused', 'Use of the key was denied.', cause);
  }
}
