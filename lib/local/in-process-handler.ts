import { setImmediate as nextTurn } from 'node:timers/promises';

import { type HttpRequest, HttpResponse } from '@smithy/core/protocols';
import { NodeHttpHandler, type NodeHttpHandlerOptions } from '@smithy/node-http-handler';

import type { HandlerFactory } from '../../functions/kernel/aws-requests.ts';
import { type AwsReply, type InProcessCall, makeError, begunCall } from './in-process-call.ts';

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
    const { status, body } = await this.#attempt(request, handling.abortSignal as AbortSignal | undefined);
    const headers = { 'content-type': 'application/x-amz-json-1.0' };
    // The SDK reads bytes as they are, and a stream by events, which would take longer.
    return { response: new HttpResponse({ statusCode: status, headers, body: Buffer.from(JSON.stringify(body)) }) };
  }

  async #attempt(request: HttpRequest, signal: AbortSignal | undefined): Promise<AwsReply> {
    const begun = begunCall();
    const before = begun?.attempt;
    if (begun !== undefined) begun.attempt = undefined;
    if (before !== undefined && 'error' in before) throw before.error;
    if (before !== undefined) return before.reply;
    await nextTurn();
    const check = (): void => {
      if (signal?.aborted === true) throw makeError('AbortError', 'The call was aborted');
    };
    check();
    const operation = request.headers['x-amz-target']?.split('.').at(-1) ?? '';
    const input = begun?.input ?? readBody(request);
    const reply = await this.#carryOut({ operation, input, requestMs: this.#requestMs, signal });
    check();
    return reply;
  }
}

function readBody({ body }: HttpRequest): object {
  const sent = body as string | Uint8Array;
  return JSON.parse(typeof sent === 'string' ? sent : new TextDecoder().decode(sent)) as object;
}

/**
 * Makes request handlers for the clients of the functions: calls of one address are carried out within this process, since HTTP
 * was half of the CPU time of a request. A call still takes a turn of the event loop, so that concurrent requests interleave.
 * @param url the service's endpoint, by which the variables of a function name it
 * @param carryOut carries out a call; what it throws is an attempt without a response, which the SDK retries as from a connection
 */
export function inProcessHandlers(url: string, carryOut: (call: InProcessCall) => Promise<AwsReply>): HandlerFactory {
  const address = new URL(url);
  return (options) => new InProcessHandler(options, address, options.requestTimeout, carryOut);
}
