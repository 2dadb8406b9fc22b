/** The error of a table that failed for a transient reason. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable';
}

const TRANSIENT = new Set([
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
  // The stage's KMS key cannot be used for a while (disabled, a grant revoked), so the caller can only retry.
  'KeyRejected',
  'TimeoutError',
  'AbortError',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
]);

/**
 * Reports whether an error of a dependency is transient: the response is 503 with Retry-After. It checks the causes,
 * since ElectroDB wraps DynamoDB's errors.
 */
export function isTransient(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    const { name, code } = at as Error & { code?: unknown };
    if (TRANSIENT.has(name) || (typeof code === 'string' && TRANSIENT.has(code))) return true;
    const status = (at as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
    if (status !== undefined && status >= 500) return true;
  }
  return false;
}

/** Reports whether the condition of a single write failed. It checks the causes, since ElectroDB wraps DynamoDB's errors. */
export const isConditionFailure = (error: unknown): error is Error =>
  hasCauseNamed(error, new Set(['ConditionalCheckFailedException']));

const THROTTLED = new Set(['ThrottlingException', 'ProvisionedThroughputExceededException', 'RequestLimitExceeded']);

/** Reports whether DynamoDB is throttling. */
export const isThrottled = (error: unknown): boolean => hasCauseNamed(error, THROTTLED);

function hasCauseNamed(error: unknown, names: ReadonlySet<string>): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if (names.has(at.name)) return true;
  }
  return false;
}
