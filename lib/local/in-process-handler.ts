import { type HttpRequest, HttpResponse } from '@smithy/core/protocols';
import { NodeHttpHandler, type NodeHttpHandlerOptions } from '@smithy/node-http-handler';

import type { HandlerFactory } from '../../functions/kernel/aws-requests.ts';
import { type AwsReply, type CarryOut, carryOutInTurn, pendingCall } from './in-process-call.ts';

/** The second parameter of the method `handle` of the SDK's handlers. */
type Handling = NonNullable<Parameters<NodeHttpHandler['handle']>[1]>;

/** The SDK's request handler with addresses in this process: their calls take no connection, and those of other addresses the network. */
class InProcessHandler extends NodeHttpHandler {
  readonly #addresses: ReadonlyMap<string, CarryOut>;
  readonly #requestMs: number;

  constructor(options: NodeHttpHandlerOptions, addresses: ReadonlyMap<string, CarryOut>, requestMs: number) {
    super(options);
    this.#addresses = addresses;
    this.#requestMs = requestMs;
  }

  override async handle(request: HttpRequest, handling: Handling = {}): Promise<{ response: HttpResponse }> {
    const { hostname, port } = request;
    const carryOut = this.#addresses.get(port === undefined ? hostname : `${hostname}:${port}`);
    if (carryOut === undefined) return super.handle(request, handling);
    const { status, body } = await this.#attempt(carryOut, request, handling.abortSignal as AbortSignal | undefined);
    const headers = { 'content-type': 'application/x-amz-json-1.0' };
    // The SDK reads bytes as they are, and a stream by events, which would take longer.
    return { response: new HttpResponse({ statusCode: status, headers, body: Buffer.from(JSON.stringify(body)) }) };
  }

  async #attempt(carryOut: CarryOut, request: HttpRequest, signal: AbortSignal | undefined): Promise<AwsReply> {
    const pending = pendingCall();
    const before = pending?.attempt;
    if (pending !== undefined) pending.attempt = undefined;
    if (before !== undefined && 'error' in before) throw before.error;
    if (before !== undefined) return before.reply;
    const operation = request.headers['x-amz-target']?.split('.').at(-1) ?? '';
    const input = pending?.input ?? readBody(request);
    return carryOutInTurn(carryOut, { operation, input, requestMs: this.#requestMs, signal });
  }
}

function readBody({ body }: HttpRequest): object {
  const sent = body as string | Uint8Array;
  return JSON.parse(typeof sent === 'string' ? sent : new TextDecoder().decode(sent)) as object;
}

/** The calls of engines, by the endpoints by which the variables of a function name them. */
export type Endpoints = Readonly<Record<string, CarryOut>>;

/**
 * Makes request handlers for the clients of the functions: calls of these endpoints are carried out within this process, since HTTP
 * was half of the CPU time of a request. A call still takes a turn of the event loop, so that concurrent requests interleave.
 */
export function inProcessHandlers(endpoints: Endpoints): HandlerFactory {
  const addresses = new Map(Object.entries(endpoints).map(([url, carryOut]) => [new URL(url).host, carryOut]));
  return (options) => new InProcessHandler(options, addresses, options.requestTimeout);
}
