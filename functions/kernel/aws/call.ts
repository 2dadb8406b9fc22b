import { type AwsService, transmit } from './transport.ts';
import type { Waits } from '../aws-requests.ts';

/** The error of a call, with the name and the members that the service gave it. */
export class AwsCallError extends Error {
  $metadata: { httpStatusCode: number; attempts: number; requestId: string | undefined };

  constructor(name: string, body: ErrorBody, $metadata: AwsCallError['$metadata']) {
    const { __type: _type, message, Message = name, ...members } = body;
    super(message ?? Message);
    this.name = name;
    this.$metadata = $metadata;
    Object.assign(this, members);
  }
}

/** The body of an error response; the name of the message differs between services. */
interface ErrorBody {
  __type?: string;
  message?: string;
  Message?: string;
}

/** The options of a client of a service. */
export interface ClientOptions {
  service: AwsService;
  /** Maximum number of attempts of a call. */
  maxAttempts: number;
  waits?: Waits;
}

/** Sends calls to one service. */
export type AwsClient = <Output extends object>(
  operation: string,
  input: object,
  options?: { abortSignal?: AbortSignal },
) => Promise<Output>;

/** Errors by which a service asks for fewer calls. */
const THROTTLES: ReadonlySet<string> = new Set([
  'ThrottlingException',
  'ThrottledException',
  'ThrottlingError',
  'Throttling',
  'RequestThrottled',
  'RequestThrottledException',
  'RequestLimitExceeded',
  'ProvisionedThroughputExceededException',
  'TooManyRequestsException',
  'LimitExceededException',
  'TransactionInProgressException',
]);
const TRANSIENT: ReadonlySet<string> = new Set(['TimeoutError', 'RequestTimeout', 'RequestTimeoutException']);
const TRANSIENT_CODES: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([500, 502, 503, 504]);

/** The upper bounds of the random wait before the second attempt, in ms; each further one doubles them. */
const WAIT_MS = { transient: 100, throttled: 500 } as const;
const MOST_WAIT_MS = 20_000;

type Cause = keyof typeof WAIT_MS;

/** The reason for another attempt; undefined if it would not help. */
function findCause(error: unknown): Cause | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name, code, $metadata } = error as Error & { code?: unknown; $metadata?: { httpStatusCode?: number } };
  if (THROTTLES.has(name) || $metadata?.httpStatusCode === 429) return 'throttled';
  const isTransient =
    TRANSIENT.has(name) || TRANSIENT_CODES.has(String(code)) || TRANSIENT_STATUSES.has($metadata?.httpStatusCode ?? 0);
  return isTransient ? 'transient' : undefined;
}

/**
 * A bucket of tokens for further attempts, so that an outage does not multiply the calls: each takes some, and each successful
 * call returns one. The numbers are those of the SDK.
 */
class RetryQuota {
  #left = MOST_TOKENS;

  take(error: unknown): boolean {
    const price = (error as Error).name === 'TimeoutError' ? TIMEOUT_PRICE : RETRY_PRICE;
    if (this.#left < price) return false;
    this.#left -= price;
    return true;
  }

  restore(): void {
    if (this.#left < MOST_TOKENS) this.#left += 1;
  }
}

const MOST_TOKENS = 500;
const RETRY_PRICE = 5;
const TIMEOUT_PRICE = 10;

/**
 * Makes a client of a service in the AWS JSON protocol
 * (https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html). It is used instead of an SDK client where the calls of
 * every request go: the SDK's own work (stack of middleware, endpoint rules, schemas, signer) is 0.45 ms of CPU a call on top of
 * the connection, this is 0.05, and a client is 300 KiB of a function and half of its cold start (`npm run profile`). Attempts,
 * waits and time limits are as those of the SDK.
 */
export function awsClient({ service, maxAttempts, waits = {} }: ClientOptions): AwsClient {
  const { connectionMs = 1_000, requestMs = 5_000, idleMs = requestMs } = waits;
  const limits = { connectionMs, requestMs, idleMs };
  const quota = new RetryQuota();
  return async <Output extends object>(
    operation: string,
    input: object,
    options: { abortSignal?: AbortSignal } = {},
  ) => {
    const signal = options.abortSignal;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { status, body, requestId } = await transmit({ service, operation, input, waits: limits, signal });
        if (status >= 300) throw makeError(status, body, { attempt, requestId });
        quota.restore();
        return body as Output;
      } catch (error) {
        if (error instanceof Error) (error as AwsCallError).$metadata ??= { attempts: attempt } as never;
        const cause = attempt < maxAttempts ? findCause(error) : undefined;
        if (cause === undefined || !quota.take(error)) throw error;
        const wait = Math.min(MOST_WAIT_MS, Math.random() * WAIT_MS[cause] * 2 ** (attempt - 1));
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  };
}

function makeError(
  status: number,
  body: ErrorBody,
  { attempt, requestId }: { attempt: number; requestId: string | undefined },
): AwsCallError {
  // The type is a name, possibly with a namespace before and an address after it.
  const { __type: type = 'UnknownError' } = body;
  const name = type.split('#').at(-1)?.split(':', 1)[0] ?? type;
  return new AwsCallError(name, body, { httpStatusCode: status, attempts: attempt, requestId });
}
