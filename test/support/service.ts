import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { WorkOS } from '@workos-inc/node';

import { clock } from '../../functions/kernel/clock.ts';
import type { Idleness } from '../../lib/local/control/controls.ts';
import type { FeedbackKind } from '../../lib/local/messages/feedback.ts';
import type { CapturedMessage } from '../../lib/local/messages/outbox.ts';
import type { Fault, NewFault } from '../../lib/local/proxy/faults.ts';
import type * as z from 'zod';

import { recordResponse, recordingFetch } from './declarations/record.ts';

/**
 * The whole service for tests of areas. Each Jest worker has one process, which the first test file that needs it starts,
 * in memory; the files that follow share it, and it ends with the worker. Each file begins with `beforeEach(() =>
 * reset())`.
 */

/** The addresses of the worker's service. */
export interface Service {
  url: string;
  apiKey: string;
  clientId: string;
  /** The port of the service's resolver for TXT records, on which `nameServer()` responds. */
  dnsPort: number;
  /** The variables with which this process's kernel accesses the service's table (`users.ts`). */
  variables: Record<string, string>;
}

/** The output of the command when it is ready. */
interface Ready {
  url: string;
  api_key: string;
  client_id: string;
}

/** The response of `/_local/variables`. */
interface Variables {
  data: Record<string, string>;
}

const START_LIMIT_MS = 60_000;
const IDLE_LIMIT_MS = 30_000;
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(tmpdir(), 'gatehouse-tests', String(process.pid));
const hashesFile = join(folder, 'hashes');
const errorsFile = join(folder, 'errors.log');

let known: Service | undefined;

/** The service of this worker, started if there is none yet. */
export async function service(): Promise<Service> {
  known ??= (await running()) ?? (await start());
  return known;
}

/** The service that an earlier file of this worker started. */
async function running(): Promise<Service | undefined> {
  try {
    const found = JSON.parse(readFileSync(join(folder, 'service.json'), 'utf8')) as Service;
    await fetch(`${found.url}/_local/clock`);
    return found;
  } catch {
    return undefined;
  }
}

async function start(): Promise<Service> {
  mkdirSync(folder, { recursive: true });
  const output = join(folder, 'ready.json');
  const [out, err] = [openSync(output, 'w'), openSync(errorsFile, 'w')];
  const dnsPort = await freeDatagramPort();
  const child = spawn(
    process.execPath,
    [
      '--import',
      './test/support/declarations/commits.ts',
      '--import',
      './test/support/quick-passwords.ts',
      ...(process.env.GATEHOUSE_FLIPPED === undefined ? [] : ['--import', './test/support/flip.ts']),
      'bin/local.ts',
      '--ephemeral',
      '--port',
      '0',
      '--json',
      '--quiet',
      '--no-limits',
      '--until-stdin-ends',
    ],
    {
      cwd: root,
      // The worker has the other end of standard input, so the service ends with the worker, even after a crash.
      stdio: ['pipe', out, err],
      env: {
        ...process.env,
        GATEHOUSE_LOG_LEVEL: 'silent',
        GATEHOUSE_TEST_HASHES: hashesFile,
        GATEHOUSE_DNS_SERVER: `127.0.0.1:${dnsPort}`,
        // The service is one process with one clock, whose commits are known while they run. idle() waits this long for GET
        // /events.
        GATEHOUSE_EVENT_HORIZON_MS: process.env.GATEHOUSE_EVENT_HORIZON_MS ?? '20',
      },
    },
  );
  closeSync(out);
  closeSync(err);
  child.unref();
  (child.stdin as unknown as Socket).unref();
  const deadline = performance.now() + START_LIMIT_MS;
  while (!readFileSync(output, 'utf8').endsWith('\n')) {
    if (child.exitCode !== null || performance.now() > deadline) {
      // Otherwise each test of the file would leave one more process that still starts.
      child.kill();
      throw new Error(`The service did not start: ${readFileSync(errorsFile, 'utf8')}`);
    }
    await delay(10);
  }
  const { url, api_key, client_id } = JSON.parse(readFileSync(output, 'utf8')) as Ready;
  const { data: variables } = (await (await fetch(`${url}/_local/variables`)).json()) as Variables;
  const started = { url, apiKey: api_key, clientId: client_id, dnsPort, variables };
  writeFileSync(join(folder, 'service.json'), JSON.stringify(started));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return started;
}

/** The number of argon2 hashes that the service has computed; not counted with GATEHOUSE_REAL_PASSWORDS. */
export const hashes = (): number => statSync(hashesFile, { throwIfNoEntry: false })?.size ?? 0;

function freeDatagramPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createSocket('udp4');
    probe.once('error', reject).bind(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** A response. */
export interface ApiResponse<T> {
  status: number;
  /** The headers, with names in lower case. */
  headers: Record<string, string>;
  /** Parsed JSON; the text if it is not JSON; undefined if empty. */
  body: T;
}

/** Options of a call in addition to its body. */
export interface CallOptions {
  /** Replaces the environment's API key; null sends none. */
  apiKey?: string | null;
  headers?: Record<string, string>;
  /** A body that is sent unchanged, instead of `body`. */
  rawBody?: string | Uint8Array<ArrayBuffer>;
}

/** Calls the service as any HTTP client would, with the environment's key and a JSON body. */
export async function call<T = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
  options: CallOptions = {},
): Promise<ApiResponse<T>> {
  const { url, apiKey } = await service();
  const key = options.apiKey === undefined ? apiKey : options.apiKey;
  const sent = options.rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await exchange(new URL(`${url}${path}`), method, sent, {
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
    ...options.headers,
  });
  const received = parsed(response.text);
  recordResponse(method, path.split('?', 1)[0] ?? path, response.status, received);
  return { status: response.status, headers: response.headers, body: received as T };
}

/** Describes the end of a service that no longer responds by what it last wrote to its standard error. */
function describeEnd(): string {
  const text = readFileSync(errorsFile, 'utf8').trim();
  return `The service of this worker has ended. Its last output: ${text === '' ? 'none' : text.slice(-2_000)}`;
}

const agent = new Agent({ keepAlive: true });

/** Sends a request without following redirects, by the module of Node that takes less CPU time than `fetch`. */
function exchange(
  { hostname, port, pathname, search }: URL,
  method: string,
  body: string | Uint8Array | undefined,
  headers: Record<string, string>,
): Promise<{ status: number; headers: Record<string, string>; text: string }> {
  return new Promise((resolve, reject) => {
    const all = {
      accept: '*/*',
      'user-agent': 'node',
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      ...headers,
    };
    const options = { hostname, port, method, path: `${pathname}${search}`, agent, headers: all };
    const sent = request(options, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.once('error', reject);
      response.once('end', () => {
        // Cookies are the only header with several lines; tests that need all of them read them with `fetch`.
        const lines = Object.entries(response.headers).map(([name, value]) => [
          name,
          Array.isArray(value) ? (value.at(-1) ?? '') : (value ?? ''),
        ]);
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(lines) as Record<string, string>,
          text: new TextDecoder().decode(Buffer.concat(parts)),
        });
      });
    });
    sent.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'ECONNREFUSED' ? new Error(describeEnd(), { cause: error }) : error);
    });
    sent.end(body);
  });
}

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The official SDK with the URL of the service; it is called after the file's first `reset()`. */
export function sdk(): WorkOS {
  if (known === undefined) throw new Error('Call reset() before sdk(): the service is not started yet');
  const { hostname, port } = new URL(known.url);
  return new WorkOS(known.apiKey, {
    apiHostname: hostname,
    port: Number(port),
    https: false,
    clientId: known.clientId,
    fetchFn: recordingFetch,
  });
}

/** Faults that DynamoDB may have at any time and the local engine never has (functions/kernel/README.md, "Decisions"). */
const UNREST: readonly z.input<typeof NewFault>[] = [
  { target: 'table', kind: 'stale_lists', delay_ms: 60 },
  { target: 'table', kind: 'late_expiry' },
  { target: 'table', kind: 'conflict', operations: ['TransactWriteItems'], probability: 0.05 },
];

/**
 * Empties the service: records, events, messages, queues, faults, clock. After it lists lag, rows outlive their TTL and one
 * transaction in twenty is cancelled, unless the test disables these faults.
 * @throws Error if a policy has denied a call of a function since the last one: the function would fail on a stage
 */
export async function reset({ calm = false }: { calm?: boolean } = {}): Promise<void> {
  const { denied } = await control<{ denied: string[] }>('POST', 'reset', { faults: calm ? [] : UNREST });
  if (denied.length > 0) throw new Error(`Since the last reset, policies denied calls: ${denied.join('; ')}`);
  // It also invalidates the caches of this process, which may hold rows of the emptied table.
  clock.reset();
}

/** Moves the service's clock forward; due work is started, and done after `idle()`. */
export async function advance(seconds: number): Promise<void> {
  await control('POST', 'clock', { advance_seconds: seconds });
}

/** The service's time, in milliseconds since the epoch. */
export async function now(): Promise<number> {
  return Date.parse((await control<{ now: string }>('GET', 'clock')).now);
}

/** Captured mail and text messages, the newest first; waits for those in progress. */
export async function messages(to?: string): Promise<CapturedMessage[]> {
  await idle();
  const query = to === undefined ? '' : `?to=${encodeURIComponent(to)}`;
  return (await control<{ data: CapturedMessage[] }>('GET', `messages${query}`)).data;
}

/** Makes a captured mail bounce, which SES reports; the report is recorded after `idle()`. */
export async function reportMail(messageId: string, kind: FeedbackKind): Promise<void> {
  await control('POST', 'feedback', { message_id: messageId, kind });
}

/**
 * Waits until no work is in progress (stream, bus, queues, schedules), lists have caught up and GET /events shows every
 * committed event.
 * @throws Error after thirty seconds
 */
export async function idle(): Promise<void> {
  const state = await control<Idleness>('GET', `idle?wait_ms=${IDLE_LIMIT_MS}`);
  if (!state.idle) throw new Error(`The service is still busy: ${JSON.stringify(state)}`);
}

/** Makes calls of a dependency fail, in the ways that `/_local/faults` describes. */
export function addFault(fault: z.input<typeof NewFault>): Promise<Fault> {
  return control<Fault>('POST', 'faults', fault);
}

/** Removes one fault, or all of them including the default ones. */
export async function clearFaults(id?: string): Promise<void> {
  await control('DELETE', id === undefined ? 'faults' : `faults?id=${id}`);
}

async function control<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await call<T>(method, `/_local/${path}`, body);
  if (response.status >= 300)
    throw new Error(`/_local/${path} responded ${response.status}: ${JSON.stringify(response.body)}`);
  return response.body;
}

/** Polls until a condition is true. @throws Error with the last value after `limitMs` */
export async function eventually<T>(
  read: () => Promise<T> | T,
  isReached: (value: T) => boolean,
  limitMs = 30_000,
): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const value = await read();
    if (isReached(value)) return value;
    if (performance.now() > deadline) throw new Error(`Not within ${limitMs} ms; last: ${JSON.stringify(value)}`);
    await delay(10);
  }
}
