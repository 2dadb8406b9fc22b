import { appendFileSync } from 'node:fs';

/**
 * Records the observations of a test run: every response, every delivered event, and (`commits.ts`) the events that
 * operations emit and the changes of records without an event. The clients in test support call this for each call and
 * delivery, so that the tests of an area need no code for it; the reporter in this folder compares it with the
 * declarations of the registry.
 *
 * The file is named by GATEHOUSE_DECLARATIONS, which the Jest configuration sets for the run and its workers; without
 * it nothing is recorded. One line is one append, which processes do not interleave.
 */
export type Seen =
  | {
      kind: 'response';
      method: string;
      path: string;
      status: number;
      code?: string;
      /** Only of a 404, whose message names the kind of record that was not found. */
      message?: string;
      isBehaviour?: boolean;
    }
  | { kind: 'event'; name: string }
  /** An operation committed an event. */
  | { kind: 'emission'; operation: string; name: string }
  /** A unit of work changed a record without an event. @param by an operation, or `a worker` */
  | { kind: 'unannounced'; by: string; record: string; changed: readonly string[] };

/** The lines that this process has appended, by their file: most observations repeat one. */
const appended = new Map<string, Set<string>>();

/** Appends an observation to the file of the run, unless this process has recorded the same one already. */
export function note(seen: Seen): void {
  const file = process.env.GATEHOUSE_DECLARATIONS;
  if (file === undefined || file === '') return;
  const lines = appended.get(file) ?? new Set();
  appended.set(file, lines);
  const line = JSON.stringify(seen);
  if (lines.has(line)) return;
  lines.add(line);
  appendFileSync(file, `${line}\n`);
}

/**
 * Records a response.
 * @param body parsed from JSON, or as text; its code distinguishes errors
 */
export function recordResponse(method: string, path: string, status: number, body: unknown): void {
  const { code, error, message } = (body ?? {}) as { code?: unknown; error?: unknown; message?: unknown };
  const errorCode = typeof code === 'string' ? code : error;
  const isBehaviour = (globalThis as { testPath?: string }).testPath?.includes('/test/contract/') !== true;
  note({
    kind: 'response',
    method,
    path,
    status,
    ...(typeof errorCode === 'string' ? { code: errorCode } : {}),
    ...(status === 404 && typeof message === 'string' ? { message } : {}),
    isBehaviour,
  });
}

/** Records an event that was delivered to a webhook endpoint, by its body. */
export function recordDelivery(body: string): void {
  let name: unknown;
  try {
    name = (JSON.parse(body) as { event?: unknown } | null)?.event;
  } catch {
    return; // The receiver got a request that is not an event.
  }
  if (typeof name === 'string') note({ kind: 'event', name });
}

/** A `fetch` that records its responses, for clients that accept one, such as the official SDK. */
export const recordingFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const url = new URL(input instanceof Request ? input.url : input);
  const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  recordResponse(method.toUpperCase(), url.pathname, response.status, body);
  return response;
};
