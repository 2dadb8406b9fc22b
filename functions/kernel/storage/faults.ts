/** The table did not do what it was asked, for a reason that passes. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable';
}

const PASSING = new Set([
  'StorageUnavailable',
  'ThrottlingException',
  'ThrottlingError',
  'ProvisionedThroughputExceededException',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
  'InternalServerError',
  'ServiceUnavailable',
  'ServiceUnavailableException',
  'TransactionInProgressException',
  'LimitExceededException',
  'KMSInternalException',
  'DependencyTimeoutException',
  'KeyUnavailableException',
  'KeyServiceUnavailable',
  // A stage's key that may not be used for a while (disabled, a grant withdrawn): the caller can only come again.
  'KeyRefused',
  'TimeoutError',
  'AbortError',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
]);

/**
 * Whether an error is one of a dependency that a later try may not meet: answered 503 with Retry-After. Looks through
 * the causes, since ElectroDB wraps what DynamoDB said.
 */
export function isPassing(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    const { name, code } = at as Error & { code?: unknown };
    if (PASSING.has(name) || (typeof code === 'string' && PASSING.has(code))) return true;
    const status = (at as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
    if (status !== undefined && status >= 500) return true;
  }
  return false;
}

const THROTTLED = new Set(['ThrottlingException', 'ProvisionedThroughputExceededException', 'RequestLimitExceeded']);

/** Whether DynamoDB refused because more comes in than it takes at present. */
export function isThrottled(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if (THROTTLED.has(at.name)) return true;
  }
  return false;
}
