/** How long an AWS client waits for a dependency, in milliseconds. */
export interface Waits {
  /** For a connection. */
  connectionMs?: number;
  /** From the start of an attempt to the head of its response. */
  requestMs?: number;
  /** For the next bytes of a response whose head has arrived; Infinity where its reader sees to that. */
  idleMs?: number;
}

/**
 * The SDK's own 50 sockets are too few where one process runs all functions: a call that waits for a free one spends its
 * time-outs doing so.
 */
const agent = { keepAlive: true, maxSockets: 1_000 };

/**
 * The request handler of every AWS client of the functions. An attempt that exceeds a limit ends with a TimeoutError, which
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
