/** The client error statuses of the contract. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 422 | 429 | 500 | 503;

/** One entry of a refused input: which member, what about it, and a stable code. */
export interface Issue {
  /** The member by its path, such as `domain_data.0.domain`; empty for the input as a whole. */
  field: string;
  code: string;
  message: string;
}

/** An answer that an operation declares it may refuse with. */
export interface DeclaredError<Status extends ErrorStatus = ErrorStatus, Code extends string = string> {
  status: Status;
  /** Stable; clients decide by it. */
  code: Code;
  /** What is wrong and what to do next, fit for any caller. */
  message: string;
  /** `oauth` answers {error, error_description} (RFC 6749 section 5.2); default {code, message}. */
  form?: 'oauth';
  /** The kind of record that is missing, of a 404. */
  record?: string;
}

/** Declares an error once, for use in `errors` of operations. */
export function declareError<const Status extends ErrorStatus, const Code extends string>(
  error: DeclaredError<Status, Code>,
): DeclaredError<Status, Code> {
  return error;
}

/** The 404 of a kind of record: the same for one that never was, is deleted, or belongs to another environment. */
export function notFound<const Code extends string = 'not_found'>(kind: string, code?: Code): DeclaredError<404, Code> {
  return {
    status: 404,
    code: code ?? ('not_found' as Code),
    record: kind,
    message: `There is no such ${kind} in this environment. Check the id and the API key's environment.`,
  };
}

/** What a refusal adds to its declaration. */
export interface FailureDetails {
  /** Replaces the declared message where the case can be told more exactly. */
  message?: string;
  /** Further members of the body, which the contract names. */
  members?: Record<string, unknown>;
  issues?: readonly Issue[];
  /** Seconds until a retry can succeed. */
  retryAfter?: number;
  /** Headers that the status asks for, such as `allow` (RFC 9110 section 15.5.6); lower-case names. */
  headers?: Readonly<Record<string, string>>;
  /** Set-Cookie headers, such as those that remove what has turned out to be of no use. */
  cookies?: readonly string[];
  /**
   * What the call's unit collected is committed although the call is refused: the event of a failed sign-in, the pending
   * token of a continuation. Nothing is, where this is absent.
   */
  keeps?: boolean;
}

/** Thrown to refuse a request; made by an operation's `fail`, so that only declared errors can be. */
export class Failure extends Error {
  readonly declared: DeclaredError;
  readonly details: FailureDetails;

  constructor(declared: DeclaredError, details: FailureDetails = {}) {
    super(details.message ?? declared.message);
    this.name = 'Failure';
    this.declared = declared;
    this.details = details;
  }
}

/** Refusals that any operation may meet without declaring them. */
export const general = {
  unauthorized: declareError({
    status: 401,
    code: 'unauthorized',
    message: 'No valid API key. Send one of this environment as "Authorization: Bearer sk_…".',
  }),
  forbidden: declareError({
    status: 403,
    code: 'forbidden',
    message: 'This API key is limited and may not call this operation. Use a key with more access.',
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
  fault: declareError({
    status: 500,
    code: 'internal_error',
    message: 'The service failed. No partial changes were made; report the X-Request-ID of this response.',
  }),
  unavailable: declareError({
    status: 503,
    code: 'service_unavailable',
    message: 'A part of the service did not answer in time. Try again.',
  }),
  tooManyRequests: declareError({
    status: 429,
    code: 'rate_limit_exceeded',
    message: 'Too many requests. Try again after the time in Retry-After.',
  }),
} as const;
