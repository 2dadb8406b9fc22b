import { appendFileSync } from 'node:fs';

/**
 * Notes what a run of the tests sees of the service: every answer, every event that was delivered, and (`commits.ts`) the
 * events that operations emit and the changes of records that no event tells. The clients in
 * test support call this for each call and delivery, so that the tests of an area feed it without knowing; the reporter
 * beside this file holds it against what the registry declares.
 *
 * The file is named by GATEHOUSE_DECLARATIONS, which the Jest configuration sets for the run and its workers; without it
 * nothing is noted. One line is one append, which processes do not interleave.
 */
export type Seen =
  | { kind: 'answer'; method: string; path: string; status: number; code?: string; isBehaviour?: boolean }
  | { kind: 'event'; name: string }
  /** An operation committed an event. */
  | { kind: 'emission'; operation: string; name: string }
  /** A unit of work changed a record without an event that tells of it. @param by an operation, or `a worker` */
  | { kind: 'unannounced'; by: string; record: string; changed: readonly string[] };

/** Appends to the file of the run. */
export function note(seen: Seen): void {
  const file = process.env.GATEHOUSE_DECLARATIONS;
  if (file !== undefined && file !== '') appendFileSync(file, `${JSON.stringify(seen)}\n`);
}

/** Notes an answer. @param body As parsed from JSON, or as text; its code is what tells one refusal from another. */
export function recordAnswer(method: string, path: string, status: number, body: unknown): void {
  const { code, error } = (body ?? {}) as { code?: unknown; error?: unknown };
  const told = typeof code === 'string' ? code : error;
  const isBehaviour = (globalThis as { testPath?: string }).testPath?.includes('/test/contract/') !== true;
  note({ kind: 'answer', method, path, status, ...(typeof told === 'string' ? { code: told } : {}), isBehaviour });
}

/** Notes an event that arrived at a webhook endpoint, by the body that was posted there. */
export function recordDelivery(body: string): void {
  let name: unknown;
  try {
    name = (JSON.parse(body) as { event?: unknown } | null)?.event;
  } catch {
    return; // A receiver of something else than events.
  }
  if (typeof name === 'string') note({ kind: 'event', name });
}

/** A `fetch` that notes its answers, for clients that take one, such as the official SDK. */
export const recordingFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const url = new URL(input instanceof Request ? input.url : input);
  const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  recordAnswer(method.toUpperCase(), url.pathname, response.status, body);
  return response;
};
