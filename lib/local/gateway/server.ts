import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import type { RouteTable } from '../../topology/routes.ts';
import { Abandoned } from '../invocations.ts';
import { TimedOut } from '../functions.ts';
import { readBody } from '../listen.ts';
import type { Trace, TracedResponse } from '../timeline/trace.ts';
import { readAddress, readResponse, makeEvent, type WireResponse } from './payload.ts';
import type { Throttles } from './token-bucket.ts';

/** The limits of API Gateway: a body, all headers together, and a response of a Lambda function. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;
const MAX_HEADER_BYTES = 10_240;
const MAX_RESPONSE_BYTES = 6 * 1024 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;

/** The options of a gateway. */
export interface GatewayOptions {
  routes: RouteTable;
  invoke: (functionName: string, event: unknown, trace: Trace) => Promise<unknown>;
  /** Undefined if throttling is disabled. */
  throttles: Throttles | undefined;
  /** The local clock, in milliseconds since the epoch. */
  now: () => number;
  /** Handles requests for the runtime itself (`/_local`). @returns true if it handled the request */
  control: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Resolves when requests may continue, since a reset blocks them while it runs. */
  open: () => Promise<void>;
  /** Begins the trace of a request. */
  begin: (request: { method: string; path: string }) => Trace;
  /** Ends the trace of a request. @param isOfPage true for a call of the page at `/_local` */
  end: (trace: Trace, response: TracedResponse, isOfPage: boolean) => void;
  onRequest: (done: { method: string; path: string; status: number; milliseconds: number; requestId: string }) => void;
  onError: (message: string, error: unknown) => void;
}

/**
 * API Gateway on one machine: receives HTTP, calls the function of the path with payload 2.0, and returns its result.
 */
export function createGateway(options: GatewayOptions): Server {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: 75_000,
      // Node responds with 400 to a request without Host, but HTTP/1.0 clients send none.
      requireHostHeader: false,
    },
    (request, response) => {
      if (options.control(request, response)) return;
      const requestId = `gateway-${randomUUID()}`;
      const startedAt = performance.now();
      const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
      const method = request.method ?? '';
      const trace = options.begin({ method, path });
      respond(request, requestId, options, trace)
        .catch((error: unknown) => {
          options.onError('the gateway failed', error);
          return own(500, 'Internal Server Error');
        })
        .then((received) => {
          const sent = send(request, response, requestId, received);
          // Calls of the page at /_local are not those of an application.
          const isOfPage = request.headers['x-gatehouse-page'] !== undefined;
          const milliseconds = performance.now() - startedAt;
          const { status } = received;
          options.end(trace, { status, milliseconds, requestId: sent, error: readError(received) }, isOfPage);
          if (!isOfPage) options.onRequest({ method, path, status, milliseconds, requestId: sent });
        })
        .catch(() => response.destroy());
    },
  );
  server.on('clientError', rejectUnreadable);
  return server;
}

async function respond(
  request: IncomingMessage,
  requestId: string,
  options: GatewayOptions,
  trace: Trace,
): Promise<WireResponse> {
  await options.open();
  const route = options.routes.find(readAddress(request).path);
  const wait = options.throttles?.take(route?.path) ?? 0;
  if (wait > 0) return own(429, 'Too Many Requests');
  if (route === undefined) return own(404, 'Not Found');
  const { functionName } = route;
  const body = await readBody(request, MAX_BODY_BYTES);
  if (body === undefined) return own(413, 'Request Entity Too Large', { connection: 'close' });
  try {
    const event = makeEvent(request, body, requestId, options.now());
    const result = readResponse(await options.invoke(functionName, event, trace));
    if (fitsResponse(result.body)) return result;
    options.onError(`${functionName} responded with more than 6 MB`, undefined);
    return own(500, 'Internal Server Error');
  } catch (error) {
    if (error instanceof Abandoned) return own(503, 'Service Unavailable', { 'retry-after': '1' });
    options.onError(`${functionName} failed`, error);
    return error instanceof TimedOut ? own(503, 'Service Unavailable') : own(500, 'Internal Server Error');
  }
}

/** Reports whether Lambda accepts a body, which is a string of the JSON that its function returns, with its quotes escaped. */
const fitsResponse = (body: Buffer): boolean =>
  body.length * 2 <= MAX_RESPONSE_BYTES || Buffer.byteLength(JSON.stringify(body.toString())) <= MAX_RESPONSE_BYTES;

/**
 * A response of the gateway itself, in the form of API Gateway: a message without a code, and no `Retry-After` with a 429.
 */
function own(status: number, message: string, headers = {}): WireResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify({ message })),
  };
}

/**
 * Sends a response.
 * @returns the request id in the response
 */
function send(request: IncomingMessage, response: ServerResponse, requestId: string, received: WireResponse): string {
  const { status, headers, body } = received;
  const hasBody = status !== 204 && status !== 304;
  const id = String(headers['x-request-id'] ?? requestId);
  response.writeHead(status, {
    ...headers,
    'x-request-id': id,
    ...(hasBody && { 'content-length': body.length }),
  });
  response.end(hasBody && request.method !== 'HEAD' ? body : undefined);
  return id;
}

/** Rejects a request that is not HTTP, or whose URL and headers are too large. */
function rejectUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const status = tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const message = tooLarge
    ? `The address and the headers are larger than ${MAX_HEADER_BYTES} bytes together: send a shorter query or fewer headers.`
    : 'The request is not HTTP that can be read.';
  const body = JSON.stringify({ code: tooLarge ? 'headers_too_large' : 'invalid_request', message });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `X-Request-ID: gateway-${randomUUID()}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** The error in a response of at least 400: that of the API, or the code that a page has in a header. */
function readError({ status, headers, body }: WireResponse): TracedResponse['error'] {
  if (status < 400) return undefined;
  const ofPage = headers['x-error-code'];
  if (typeof ofPage === 'string') return { code: ofPage, message: '' };
  try {
    const { code, error, message, error_description } = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
    const [name, text] = [code ?? error, message ?? error_description];
    return { code: typeof name === 'string' ? name : undefined, message: typeof text === 'string' ? text : '' };
  } catch {
    return { code: undefined, message: '' };
  }
}
