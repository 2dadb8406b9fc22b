import { createHash, createHmac, createSecretKey, type Hash, type KeyObject } from 'node:crypto';

import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

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
const agent = { keepAlive: true, maxSockets: 1_000 };

/** The options of the SDK's own request handler, {@link clientOptions}. */
function handlerOptions({ connectionMs = 1_000, requestMs = 5_000, idleMs = requestMs }: Waits) {
  return {
    connectionTimeout: connectionMs,
    requestTimeout: requestMs,
    throwOnRequestTimeout: true,
    ...(idleMs === Infinity ? {} : { socketTimeout: idleMs }),
    httpAgent: agent,
    httpsAgent: agent,
  };
}

/** Makes the request handler of a client, or returns the options of the SDK's own. */
export interface HandlerFactory {
  (options: ReturnType<typeof handlerOptions>): NonNullable<DynamoDBClientConfig['requestHandler']>;
  /** Changes the client of the table, whose calls do not leave the process then. */
  withTable?: (client: DynamoDBDocumentClient, options: ReturnType<typeof handlerOptions>) => DynamoDBDocumentClient;
  /** The function for which the process works at present, if it runs several. */
  functionName?: () => string | undefined;
}

let makeHandler: HandlerFactory = (options) => options;

/**
 * Replaces the request handlers of the clients that are made from now on, for a runtime that has the services in its process.
 * @returns the former factory
 */
export function useRequestHandlers(factory: HandlerFactory): HandlerFactory {
  const former = makeHandler;
  makeHandler = factory;
  return former;
}

/**
 * The function for which the process works at present: always the same on Lambda. What one function may decrypt, another may not find in
 * a cache.
 */
export const currentFunction = (): string => makeHandler.functionName?.() ?? '';

const ignore = (): void => undefined;

/**
 * A logger without `info` and `error`. For a logger that has them, as the SDK's own default has, it makes a copy of the input and
 * output of each call without their sensitive members, also if nothing is logged.
 */
const logger = { trace: ignore, debug: ignore, warn: ignore } as unknown as NonNullable<DynamoDBClientConfig['logger']>;

type Secret = ConstructorParameters<NonNullable<DynamoDBClientConfig['sha256']>>[0];

/** The keys of the signer: the secret of the credentials, which is a text, and the key that it derives of it for a day. */
const keysOfBytes = new WeakMap<object, KeyObject>();
let keyOfText: { text: string; key: KeyObject } | undefined;

function prepareKey(secret: NonNullable<Secret>): KeyObject {
  if (typeof secret === 'string') {
    if (keyOfText?.text !== secret) keyOfText = { text: secret, key: createSecretKey(secret, 'utf8') };
    return keyOfText.key;
  }
  const known = keysOfBytes.get(secret);
  if (known !== undefined) return known;
  const key = createSecretKey(readBytes(secret));
  keysOfBytes.set(secret, key);
  return key;
}

const readBytes = (data: Exclude<NonNullable<Secret>, string>): Uint8Array =>
  ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);

/**
 * SHA-256 and HMAC as the SDK's own, whose signer makes Node's key object of the same bytes twice for each call. That takes six times
 * as long as the HMAC with it.
 */
class Sha256 {
  readonly #secret: Secret;
  #hash: Hash | ReturnType<typeof createHmac>;

  constructor(secret?: Secret) {
    this.#secret = secret;
    this.#hash = this.#start();
  }

  #start(): Hash | ReturnType<typeof createHmac> {
    // An empty secret is none for the SDK.
    return this.#secret === undefined || this.#secret === ''
      ? createHash('sha256')
      : createHmac('sha256', prepareKey(this.#secret));
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    this.#hash = this.#start();
  }
}

/**
 * The options of every AWS client of the functions: its request handler, the hash of its signer, and a logger that costs nothing. An attempt that exceeds
 * a limit ends with a TimeoutError, which the client retries up to its `maxAttempts` and then throws. Without
 * `throwOnRequestTimeout` the SDK prints a warning and waits without end.
 */
export const clientOptions = (waits: Waits = {}) => ({
  requestHandler: makeHandler(handlerOptions(waits)),
  sha256: Sha256,
  logger,
});

/** Completes the client of the table, which was made with {@link clientOptions}. */
export const completeTable = (client: DynamoDBDocumentClient): DynamoDBDocumentClient =>
  makeHandler.withTable?.(client, handlerOptions({})) ?? client;
