import { randomUUID } from 'node:crypto';
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import { type Invocation, INVOCATION_HEADER, type Invocations } from '../invocations.ts';
import { close, listen, readBody } from '../listen.ts';
import type { Policies } from '../policy/policies.ts';
import type { Counters } from './counters.ts';
import {
  type Dependency,
  findReplacement,
  makeFailedResponse,
  type FailedResponse,
  readOperation,
  unavailableCodes,
} from './dependency.ts';
import type { Fault, Faults } from './faults.ts';
import type { EngineCalls } from './engine-calls.ts';

/** Maximum bytes of a request, larger than these services accept. */
const MAX_REQUEST_BYTES = 64 * 1024 * 1024;
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

/** The options of the proxy of one dependency. */
export interface ProxyOptions {
  dependency: Dependency;
  /** The engine's URL, read for each call, since a reset may change it. */
  upstream: () => string;
  /** The calls of the engine, if functions in this process call it without the proxy. */
  calls?: EngineCalls;
  invocations: Invocations;
  faults: Faults;
  counters: Counters;
  policies: Policies;
}

/** A running proxy. */
export interface Proxy {
  url: string;
  /** Number of calls that the engine executes at present. */
  forwarding: () => number;
  close: () => Promise<void>;
}

interface ProxiedResponse {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/**
 * A proxy between the functions' AWS clients and one engine. It counts calls, injects faults and rejects calls of
 * invocations that a reset has interrupted.
 */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const { dependency, upstream, invocations, faults, counters, policies } = options;
  let forwarding = 0;

  async function forward(call: IncomingMessage, body: Buffer): Promise<ProxiedResponse> {
    forwarding += 1;
    try {
      return await send(upstream(), call, body);
    } finally {
      forwarding -= 1;
    }
  }

  async function respond(call: IncomingMessage, response: ServerResponse): Promise<void> {
    const invocation = invocations.read(call.headers[INVOCATION_HEADER]);
    const body = (await readBody(call, MAX_REQUEST_BYTES)) ?? Buffer.alloc(0);
    const operation = readOperation(dependency, call.method ?? 'GET', call.headers, body);
    if (options.calls !== undefined) {
      return respondByCalls(options.calls, { operation, body, invocation }, response);
    }
    const end = counters.begin(invocation, dependency, operation);
    try {
      const fault = faults.meet(dependency, operation, invocation?.functionName);
      if (fault?.kind === 'delay' && !(await isAwaited(response, fault.delay_ms))) return;
      if (invocation !== undefined && !invocations.isCurrent(invocation)) {
        return fail(response, makeFailedResponse(dependency, 400, 'AbandonedByReset'));
      }
      const denial =
        dependency === 'queues' ? policies.deny(invocation, dependency, operation, parse(body)) : undefined;
      if (denial !== undefined) {
        return fail(response, makeFailedResponse(dependency, 403, 'AccessDenied', { message: denial }));
      }
      const failure = fault && makeFailure(fault, dependency);
      if (failure !== undefined) return fail(response, failure);
      const engine = await forward(call, body);
      if (fault?.kind === 'lost_response') return void response.destroy();
      reply(response, engine);
    } finally {
      end();
    }
  }

  const server = createServer({ keepAliveTimeout: 120_000 }, (call, response) => {
    respond(call, response).catch(() => {
      // The engine is unavailable: the response is the one that a client gets from an unavailable service.
      if (!response.headersSent) fail(response, makeFailedResponse(dependency, ...unavailableCodes[dependency]));
    });
  });
  const port = await listen(server);
  invocations.watch(`127.0.0.1:${port}`);
  return { url: `http://127.0.0.1:${port}`, forwarding: () => forwarding, close: () => close(server) };
}

/**
 * Waits for the time of a delay, at most until the caller disconnects. @returns whether the caller still waits for the
 * response
 */
async function isAwaited(response: ServerResponse, delayMs: number): Promise<boolean> {
  const hangUp = new AbortController();
  response.once('close', () => hangUp.abort());
  await delay(delayMs, undefined, { signal: hangUp.signal }).catch(() => undefined);
  return !hangUp.signal.aborted;
}

const parse = (body: Buffer): object => JSON.parse(body.toString('utf8')) as object;

/** Responds to a call that a client of another process made, or another SDK's client in this one. */
async function respondByCalls(
  calls: EngineCalls,
  { operation, body, invocation }: { operation: string; body: Buffer; invocation: Invocation | undefined },
  response: ServerResponse,
): Promise<void> {
  const wait = (delayMs: number): Promise<boolean> => isAwaited(response, delayMs);
  const result = await calls.call({ operation, input: parse(body), invocation, wait });
  if (result === 'not awaited') return;
  if (result === 'lost') return void response.destroy();
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': randomUUID() };
  reply(response, { status: result.status, headers, body: Buffer.from(JSON.stringify(result.body)) });
}

function send(upstream: string, call: IncomingMessage, body: Buffer): Promise<ProxiedResponse> {
  const { hostname, port } = new URL(upstream);
  const headers: IncomingMessage['headers'] = { ...call.headers, 'content-length': String(body.length) };
  delete headers[INVOCATION_HEADER];
  delete headers['transfer-encoding'];
  delete headers.connection;
  delete headers.expect;
  if (upstream.startsWith('http:')) headers.host = `${hostname}:${port}`;
  const { method, url: path } = call;
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path, headers, agent }, (response) => {
      readBody(response, Infinity).then((received) => {
        resolve({
          status: response.statusCode ?? 500,
          headers: response.headers,
          body: received ?? Buffer.alloc(0),
        });
      }, reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function reply(response: ServerResponse, { status, headers, body }: ProxiedResponse): void {
  const kept: Record<string, string | string[] | undefined> = { ...headers, 'content-length': String(body.length) };
  delete kept['transfer-encoding'];
  delete kept.connection;
  delete kept['keep-alive'];
  response.writeHead(status, kept).end(body);
}

function fail(response: ServerResponse, { status, headers, body }: FailedResponse): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}

/** The error response instead of the call; undefined for faults that do not replace the call. */
function makeFailure({ kind }: Fault, dependency: Dependency): FailedResponse | undefined {
  const replacement = findReplacement(kind, dependency);
  return replacement && makeFailedResponse(dependency, ...replacement);
}
