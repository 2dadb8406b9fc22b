/** The client error statuses of the contract. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 410 | 412 | 413 | 415 | 422 | 429 | 500 | 501 | 503;

/** One invalid member of a rejected input, with its problem and a stable code. */
export interface Issue {
  /** The path of the member, such as `domain_data.0.domain`; empty for the input as a whole. */
  field: string;
  code: string;
  message: string;
}

/** An error response that an operation declares. */
export interface DeclaredError<Status extends ErrorStatus = ErrorStatus, Code extends string = string> {
  status: Status;
  /** The code, which never changes, because clients depend on it. */
  code: Code;
  /** A sentence that describes the problem and what to do next, for any caller. */
  message: string;
  /**
   * The format of the response: `oauth` is {error, error_description} (RFC 6749 section 5.2), `text` is the code as a JSON
   * text; by default it is {code, message}.
   */
  form?: 'oauth' | 'text';
  /** The kind of the missing record, for a 404. */
  record?: string;
}

/** Declares an error, for use in `errors` of operations. */
export function declareError<const Status extends ErrorStatus, const Code extends string>(
  error: DeclaredError<Status, Code>,
): DeclaredError<Status, Code> {
  return error;
}

/**
 * The 404 of a kind of record: the same if it never existed, was deleted, or belongs to another environment.
 * @param name the value by which a request names the record
 */
export function notFound<const Code extends string = 'not_found'>(
  kind: string,
  code?: Code,
  name: 'id' | 'slug' = 'id',
): DeclaredError<404, Code> {
  return {
    status: 404,
    code: code ?? ('not_found' as Code),
    record: kind,
    message: `There is no such ${kind} in this environment. Check the ${name} and the API key's environment.`,
  };
}

/** The details that an error response adds to its declaration. */
export interface FailureDetails {
  /** Replaces the declared message if the case needs a more specific one. */
  message?: string;
  /** Further members of the body, which the contract names. */
  members?: Record<string, unknown>;
  issues?: readonly Issue[];
  /** The number of seconds to wait before a retry. */
  retryAfter?: number;
  /** Headers that the status requires, such as `allow` (RFC 9110 section 15.5.6); lower-case names. */
  headers?: Readonly<Record<string, string>>;
  /** Set-Cookie headers, for example to remove invalid cookies. */
  cookies?: readonly string[];
  /**
   * True if the unit of work is committed although the call is rejected, as with the event of a failed sign-in or the
   * pending token of a continuation. By default nothing is committed.
   */
  commitOnFailure?: boolean;
}

/**
 * The exception that rejects a request. It is made by an operation's `fail`, so that only declared errors are possible. It has no stack:
 * a caller gets its code, nothing logs it, and many are made for a write whose condition may fail.
 */
export class Failure extends Error {
  readonly declared: DeclaredError;
  readonly details: FailureDetails;

  constructor(declared: DeclaredError, details: FailureDetails = {}) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(details.message ?? declared.message);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'Failure';
    this.declared = declared;
    this.details = details;
  }
}

/**
 * Returns the result of a read, or rejects the request if there is none: `await orFail(things.get(environmentId, id), () =>
 * fail(thingNotFound))`.
 */
export async function orFail<T>(reading: Promise<T | undefined>, failure: () => Failure): Promise<T> {
  const found = await reading;
  if (found === undefined) throw failure();
  return found;
}

/** Errors of all operations, which need no declaration. */
export const general = {
  unauthorized: declareError({
    status: 401,
    code: 'unauthorized',
    message: 'No valid API key. Send one of this environment as "Authorization: Bearer sk_…".',
  }),
  forbidden: declareError({
    status: 403,
    code: 'forbidden',
    message:
      'This API key is read-only or limited to some areas, and may not call this operation. Use a key without this limit, which an operator makes: /docs/guides/api-authentication#limited-keys.',
  }),
  malformedBody: declareError({ status: 400, code: 'invalid_request', message: 'The body is not valid JSON.' }),
  unsupportedMediaType: declareError({
    status: 400,
    code: 'invalid_request',
    message: 'The body must be JSON, sent with "Content-Type: application/json".',
  }),
  payloadTooLarge: declareError({
    status: 413,
    code: 'payload_too_large',
    message: 'The body is larger than 1 MiB (1,048,576 bytes), the limit of every operation.',
  }),
  invalidParameters: declareError({
    status: 422,
    code: 'invalid_request_parameters',
    message: 'The request has invalid parameters.',
  }),
  noSuchRoute: declareError({
    status: 404,
    code: 'not_found',
    message: 'There is no such operation. GET /openapi.json lists all of them.',
  }),
  methodNotAllowed: declareError({
    status: 405,
    code: 'method_not_allowed',
    message: 'This path does not take this method.',
  }),
  dryRunNotSupported: declareError({
    status: 400,
    code: 'dry_run_not_supported',
    message:
      'This operation has effects that cannot be rehearsed. Nothing was done: leave out Gatehouse-Dry-Run to do it.',
  }),
  preconditionFailed: declareError({
    status: 412,
    code: 'precondition_failed',
    message:
      'The record or settings were changed since you read them, so If-Match names an earlier version (or, with If-None-Match: *, the record exists already). Nothing was changed: read it again, and send the change with the new ETag.',
  }),
  idempotencyMismatch: declareError({
    status: 409,
    code: 'idempotency_error',
    message: 'This Idempotency-Key was used with another request. Use a new key for a new request.',
  }),
  concurrentRequest: declareError({
    status: 503,
    code: 'concurrent_request',
    message: 'Other requests are changing the same record. Nothing was changed; try again.',
  }),
  environmentFenced: declareError({
    status: 503,
    code: 'environment_fenced',
    message:
      'This environment is moving to another deployment of the service. Nothing was changed. Look up the host name of the service again, and try again after the time in Retry-After; reads are served in the meantime.',
  }),
  fault: declareError({
    status: 500,
    code: 'internal_error',
    message: 'The service failed. No partial changes were made. Report the X-Request-ID of this response.',
  }),
  unavailable: declareError({
    status: 503,
    code: 'service_unavailable',
    message:
      'A dependency of the service did not respond in time. Try again after the time in Retry-After, a POST with the same Idempotency-Key.',
  }),
  tooManyRequests: declareError({
    status: 429,
    code: 'rate_limit_exceeded',
    message: 'Too many requests. Try again after the time in Retry-After.',
  }),
} as const;
