import { setImmediate as nextTurn } from 'node:timers/promises';

import { type HttpRequest, HttpResponse } from '@smithy/core/protocols';
import { NodeHttpHandler, type NodeHttpHandlerOptions } from '@smithy/node-http-handler';

import type { HandlerFactory } from '../../functions/kernel/aws-requests.ts';

/** A request of the AWS JSON protocol that a client of this process sends. */
export interface InProcessCall {
  operation: string;
  /** The request in the form of the protocol. */
  input: object;
  /** The client's limit in ms for a response. */
  requestMs: number;
  signal: AbortSignal | undefined;
}

/** A request as the SDK's signers take it. */
type Unsigned = Parameters<Extract<NonNullable<HandlerFactory['tableSigner']>, { sign: unknown }>['sign']>[0];

/** A response of the AWS JSON protocol, whose body is an error if the status is at least 300. */
export interface AwsReply {
  status: number;
  body: Record<string, unknown>;
}

/** The second parameter of the method `handle` of the SDK's handlers. */
type Handling = NonNullable<Parameters<NodeHttpHandler['handle']>[1]>;

/** The SDK's request handler with one address in this process: its calls take no connection, and those of other addresses the network. */
class InProcessHandler extends NodeHttpHandler {
  readonly #address: URL;
  readonly #requestMs: number;
  readonly #carryOut: (call: InProcessCall) => Promise<AwsReply>;

  constructor(
    options: NodeHttpHandlerOptions,
    address: URL,
    requestMs: number,
    carryOut: (call: InProcessCall) => Promise<AwsReply>,
  ) {
    super(options);
    this.#address = address;
    this.#requestMs = requestMs;
    this.#carryOut = carryOut;
  }

  override async handle(request: HttpRequest, handling: Handling = {}): Promise<{ response: HttpResponse }> {
    const { hostname, port } = this.#address;
    if (request.hostname !== hostname || String(request.port ?? '') !== port) return super.handle(request, handling);
    await nextTurn();
    const signal = handling.abortSignal as AbortSignal | undefined;
    const check = (): void => {
      if (signal?.aborted === true) throw makeError('AbortError', 'The call was aborted');
    };
    check();
    const operation = request.headers['x-amz-target']?.split('.').at(-1) ?? '';
    const sent = request.body as string | Uint8Array;
    const input = JSON.parse(typeof sent === 'string' ? sent : new TextDecoder().decode(sent)) as object;
    const { status, body } = await this.#carryOut({ operation, input, requestMs: this.#requestMs, signal });
    check();
    const headers = { 'content-type': 'application/x-amz-json-1.0' };
    // The SDK reads bytes as they are, and a stream by events, which would take longer.
    return { response: new HttpResponse({ statusCode: status, headers, body: Buffer.from(JSON.stringify(body)) }) };
  }
}

/** Makes an error with a name by which the SDK's clients know it. */
export const makeError = (name: string, message: string): Error => Object.assign(new Error(message), { name });

/**
 * Makes request handlers for the clients of the functions: calls of one address are carried out within this process, since HTTP
 * was half of the CPU time of a request. A call still takes a turn of the event loop, so that concurrent requests interleave.
 * @param url the service's endpoint, by which the variables of a function name it
 * @param carryOut carries out a call; what it throws is an attempt without a response, which the SDK retries as from a connection
 */
export function inProcessHandlers(url: string, carryOut: (call: InProcessCall) => Promise<AwsReply>): HandlerFactory {
  const address = new URL(url);
  const factory: HandlerFactory = (options) => new InProcessHandler(options, address, options.requestTimeout, carryOut);
  // No part of this process verifies the signature of a call that stays here, and computing it was a twelfth of the service's CPU time.
  return Object.assign(factory, { tableSigner: { sign: async (request: Unsigned) => request } });
}
