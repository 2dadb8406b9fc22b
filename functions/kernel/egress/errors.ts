/**
 * The reasons why an outgoing request was blocked or failed. They never change, because webhook attempts and the state of
 * connections store them.
 */
export type EgressErrorCode =
  | 'invalid_url'
  | 'invalid_header'
  | 'scheme_refused'
  | 'userinfo_refused'
  | 'address_refused'
  | 'unresolvable'
  | 'timeout'
  | 'response_too_large'
  | 'too_many_redirects'
  | 'connection_failed'
  | 'tls_failed';

const messages: Record<EgressErrorCode, string> = {
  invalid_url: 'The URL is not valid.',
  invalid_header: 'A request header is not valid.',
  scheme_refused: 'The URL must use https.',
  userinfo_refused: 'The URL must not contain a user name or password.',
  address_refused: 'The host of the URL is not a public address.',
  unresolvable: 'The host name of the URL could not be resolved.',
  timeout: 'The server did not respond in time.',
  response_too_large: 'The response of the server is too large.',
  too_many_redirects: 'The server redirected too often.',
  connection_failed: 'The connection to the server failed.',
  tls_failed: 'A trusted TLS connection to the server could not be made.',
};

/** Errors that may be transient; the others last until a setting is changed. */
const passing: ReadonlySet<EgressErrorCode> = new Set(['unresolvable', 'timeout', 'connection_failed']);

/**
 * A blocked or failed outgoing request. `message` is public: it names neither a resolved address nor the host behind it, so
 * a customer cannot explore the network with it. `cause` has more details and is only for logs.
 */
export class EgressError extends Error {
  readonly code: EgressErrorCode;
  /** True if the same call may succeed later without any change. */
  readonly retryable: boolean;

  constructor(code: EgressErrorCode, cause?: unknown) {
    super(messages[code], cause === undefined ? undefined : { cause });
    this.name = 'EgressError';
    this.code = code;
    this.retryable = passing.has(code);
  }
}
