/** Time-outs of an AWS client, in milliseconds. */
export interface Waits {
  /** The time-out for establishing a connection. */
  connectionMs?: number;
  /** The time-out from the start of an attempt to the head of its response. */
  requestMs?: number;
  /**
   * The time-out for the next bytes of a response whose head has arrived; Infinity if the reader has a limit of its own.
   */
  idleMs?: number;
}

/**
 * The maximum of 50 sockets in the SDK is too small for one process that runs all functions: a call that waits for a free
 * socket uses up its time-outs.
 */
export const agent = { keepAlive: true, maxSockets: 1_000 };

/**
 * The request handler of the SDK's clients. An attempt that exceeds a limit ends with a TimeoutError, which
 * the client retries up to its `maxAttempts` and then throws. Without `throwOnRequestTimeout` the SDK prints a warning and
 * waits without end.
 */
export function requestHandler({ connectionMs = 1_000, requestMs = 5_000, idleMs = requestMs }: Waits = {}) {
  return {
    connectionTimeout: connectionMs,
    requestTimeout: requestMs,
    throwOnRequestTimeout: true,
    ...(idleMs === Infinity ? {} : { socketTimeout: idleMs }),
    httpAgent: agent,
    httpsAgent: agent,
  };
}
