import * as z from 'zod';

import { NewFeedback } from '../messages/feedback.ts';
import { NewFault } from '../proxy/faults.ts';
import type { Controls, Idleness } from './controls.ts';

/** Maximum seconds to advance the clock (a hundred years): later dates would need five digits for the year. */
const MAX_ADVANCE_SECONDS = 3_155_760_000;
const IDLE_POLL_MS = 5;

export const Advance = z.strictObject({ advance_seconds: z.int().min(0).max(MAX_ADVANCE_SECONDS) });
const Reset = z.strictObject({ faults: z.array(NewFault).max(100).default([]) });

/** A response in JSON. */
export interface JsonReply {
  status: number;
  body: unknown;
}

/** The handler of a request for programs. */
export type Handle = (input: { body: unknown; query: URLSearchParams }) => Promise<JsonReply> | JsonReply;

/** The requests under `/_local` for programs, by method and path. */
export function makeHandlers(controls: Controls): Readonly<Record<string, Handle>> {
  const time = () => ({ now: controls.time() });
  const { url, apiKey, clientId } = controls;
  return {
    'GET start': () => ({ status: 200, body: { url, api_key: apiKey, client_id: clientId } }),
    'GET messages': ({ query }) => ({ status: 200, body: { data: controls.messages(query.get('to') ?? undefined) } }),
    'GET timeline': () => ({ status: 200, body: { data: controls.timeline.list() } }),
    'POST feedback': ({ body }) =>
      withInput(NewFeedback, body, async (feedback) => {
        if (await controls.report(feedback)) return { status: 202, body: { reported: feedback.kind } };
        const message = 'No mail was captured under this id. GET /_local/messages lists what was.';
        return { status: 404, body: { code: 'not_found', message } };
      }),
    'GET clock': () => ({ status: 200, body: time() }),
    'POST clock': ({ body }) =>
      withInput(Advance, body, async ({ advance_seconds }) => {
        await controls.advance(advance_seconds);
        return { status: 200, body: time() };
      }),
    'DELETE clock': async () => {
      await controls.returnToRealTime();
      return { status: 200, body: time() };
    },
    'POST reset': ({ body }) =>
      withInput(Reset, body, async ({ faults }) => {
        const startedAt = performance.now();
        const denied = await controls.reset(faults);
        return { status: 200, body: { milliseconds: Math.round(performance.now() - startedAt), denied } };
      }),
    'GET faults': () => ({ status: 200, body: { data: controls.faults() } }),
    'POST faults': ({ body }) =>
      withInput(NewFault, body, async (fault) => ({ status: 201, body: await controls.addFault(fault) })),
    'DELETE faults': async ({ query }) => {
      const cleared = await controls.clearFaults(query.get('id') ?? undefined);
      return { status: 200, body: { cleared } };
    },
    'GET idle': async ({ query }) => ({
      status: 200,
      body: await untilIdle(controls, Number(query.get('wait_ms') ?? 0)),
    }),
    'GET variables': () => ({ status: 200, body: { data: controls.variables() } }),
    'GET counters': () => ({ status: 200, body: { data: controls.counters(), keys: controls.keyCounters() } }),
    'DELETE counters': () => {
      controls.clearCounters();
      return { status: 200, body: { cleared: true } };
    },
  };
}

function withInput<S extends z.ZodType>(
  schema: S,
  body: unknown,
  handle: (input: z.output<S>) => Promise<JsonReply>,
): Promise<JsonReply> | JsonReply {
  const parsed = schema.safeParse(body);
  if (parsed.success) return handle(parsed.data);
  return { status: 422, body: { code: 'invalid_request_parameters', message: z.prettifyError(parsed.error) } };
}

/** The pending work, returned as soon as there is none, and at the latest after `waitMs`. */
async function untilIdle(controls: Controls, waitMs: number): Promise<Idleness> {
  const deadline = performance.now() + Math.min(60_000, Number.isFinite(waitMs) ? waitMs : 0);
  for (;;) {
    const state = controls.idleness();
    if (state.idle || performance.now() >= deadline) return state;
    await new Promise((resolve) => setTimeout(resolve, IDLE_POLL_MS));
  }
}
