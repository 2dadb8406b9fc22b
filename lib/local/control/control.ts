import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';

import { answerAsProvider, type IdpAnswer, type IdpHost } from '../idp/identity-provider.ts';
import { readBody } from '../listen.ts';
import { NewFeedback } from '../messages/feedback.ts';
import type { CapturedMessage } from '../messages/outbox.ts';
import type { PendingMessages } from '../queues.ts';
import type { FunctionCounters } from '../proxy/counters.ts';
import { type Fault, NewFault } from '../proxy/faults.ts';
import { rejectionReason } from './guard.ts';
import { renderPage } from './page.ts';

/** The work that is still pending in the local service. */
export interface Idleness {
  idle: boolean;
  /** Functions that are running. */
  running: number;
  /** True if streams are read to their end, and no function of a schedule or queue is running. */
  sources: boolean;
  /** Deliveries of the bus that are running or wait for a retry. */
  bus: number;
  queues: PendingMessages;
  /** True if stale lists, if enabled, have caught up. */
  lists: boolean;
  /** True if GET /events shows every committed event: the last write is older than the settled horizon. */
  events: boolean;
}

/** The actions behind `/_local`. */
export interface Controls {
  messages: (to: string | undefined) => CapturedMessage[];
  /**
   * Reports a bounce or complaint about a captured mail.
   * @returns false if no such mail was captured
   */
  report: (feedback: z.output<typeof NewFeedback>) => Promise<boolean>;
  /** Returns the local time (ISO 8601). */
  time: () => string;
  advance: (seconds: number) => Promise<void>;
  /** @param faults those that are active afterwards */
  reset: (faults: readonly z.output<typeof NewFault>[]) => Promise<void>;
  addFault: (fault: z.output<typeof NewFault>) => Promise<Fault>;
  faults: () => readonly Fault[];
  clearFaults: (id: string | undefined) => Promise<boolean>;
  idleness: () => Idleness;
  /** The variables with which a process on this machine reaches the engines of the functions. */
  variables: () => Record<string, string>;
  counters: () => Record<string, FunctionCounters>;
  clearCounters: () => void;
  /** Returns the events for the page, with the members that it shows. */
  recentEvents: () => Promise<unknown[]>;
  /** Makes a link that signs a browser in to the console as the local owner. @returns its path */
  consoleLink: () => Promise<string>;
  apiKey: string;
  /** The test identity provider. */
  identityProvider: IdpHost;
}

const MAX_BODY_BYTES = 64 * 1024;
/** Maximum seconds to advance the clock (a hundred years): later dates would need five digits for the year. */
const MAX_ADVANCE_SECONDS = 3_155_760_000;
const IDLE_POLL_MS = 5;

const Advance = z.strictObject({ advance_seconds: z.int().min(0).max(MAX_ADVANCE_SECONDS) });
const Reset = z.strictObject({ faults: z.array(NewFault).max(100).default([]) });

interface Answer {
  status: number;
  body: unknown;
  /** The path to which a browser is redirected. */
  location?: string;
}

type Handle = (input: { body: unknown; query: URLSearchParams }) => Promise<Answer> | Answer;

/**
 * Handles requests under `/_local`: functions for developers and tests that a deployment does not have.
 * @returns whether the request was one of them
 */
export function makeControl(controls: Controls): (request: IncomingMessage, response: ServerResponse) => boolean {
  const handlers = makeHandlers(controls);
  return (request, response) => {
    const url = new URL(`http://local${/^\/_local(?:[/?]|$)/.test(request.url ?? '') ? request.url : '/'}`);
    if (!/^\/_local(\/|$)/.test(url.pathname)) return false;
    answer(request, url, handlers, controls).then(
      (done) => {
        if ('page' in done) sendPage(response, done);
        else if ('text' in done) sendIdpPage(response, done);
        else sendJson(response, done);
      },
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        sendJson(response, { status: 500, body: { code: 'internal_error', message } });
      },
    );
    return true;
  };
}

function makeHandlers(controls: Controls): Readonly<Record<string, Handle>> {
  const time = () => ({ now: controls.time() });
  return {
    'GET messages': ({ query }) => ({ status: 200, body: { data: controls.messages(query.get('to') ?? undefined) } }),
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
    'POST reset': ({ body }) =>
      withInput(Reset, body, async ({ faults }) => {
        const startedAt = performance.now();
        await controls.reset(faults);
        return { status: 200, body: { milliseconds: Math.round(performance.now() - startedAt) } };
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
    'GET counters': () => ({ status: 200, body: { data: controls.counters() } }),
    'DELETE counters': () => {
      controls.clearCounters();
      return { status: 200, body: { cleared: true } };
    },
    'GET console': async () => {
      const location = await controls.consoleLink();
      return { status: 303, body: { location }, location };
    },
    'GET events': async () => ({ status: 200, body: { data: await controls.recentEvents() } }),
  };
}

async function answer(
  request: IncomingMessage,
  url: URL,
  handlers: Readonly<Record<string, Handle>>,
  controls: Controls,
): Promise<Answer | IdpAnswer | { page: string; nonce: string }> {
  const name = url.pathname.replace(/^\/_local\/?/, '');
  const reason = rejectionReason(request, { isPageToOpen: /^idp(\/|$)/.test(name) });
  if (reason !== undefined) {
    const message = `/_local only answers this machine; this request is rejected because ${reason}.`;
    return { status: 403, body: { code: 'forbidden', message } };
  }
  if (/^idp(\/|$)/.test(name)) {
    const body = (await readBody(request, MAX_BODY_BYTES))?.toString('utf8') ?? '';
    const asked = { method: request.method ?? '', path: name, query: url.searchParams, body };
    const message = `There is no ${name} under /_local.`;
    const answered = await answerAsProvider(controls.identityProvider, asked);
    return answered ?? { status: 404, body: { code: 'not_found', message } };
  }
  if (name === '' && request.method === 'GET') {
    const nonce = randomBytes(16).toString('base64');
    return { nonce, page: renderPage(nonce, controls.apiKey) };
  }
  const key = `${request.method} ${name}`;
  const handle = Object.hasOwn(handlers, key) ? handlers[key] : undefined;
  if (handle === undefined) {
    const message = `There is no ${key} under /_local. There are: ${Object.keys(handlers).join(', ')}.`;
    return { status: 404, body: { code: 'not_found', message } };
  }
  const bytes = await readBody(request, MAX_BODY_BYTES);
  try {
    const body: unknown = bytes === undefined || bytes.length === 0 ? {} : JSON.parse(bytes.toString('utf8'));
    return await handle({ body, query: url.searchParams });
  } catch (error) {
    if (error instanceof SyntaxError) return { status: 400, body: { code: 'invalid_request', message: 'Send JSON.' } };
    throw error;
  }
}

function withInput<S extends z.ZodType>(
  schema: S,
  body: unknown,
  handle: (input: z.output<S>) => Promise<Answer>,
): Promise<Answer> | Answer {
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

function sendJson(response: ServerResponse, { status, body, location }: Answer): void {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  response.writeHead(status, location === undefined ? headers : { ...headers, location }).end(JSON.stringify(body));
}

function sendPage(response: ServerResponse, { page, nonce }: { page: string; nonce: string }): void {
  response
    .writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy':
        `default-src 'none'; connect-src 'self'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; ` +
        `img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    })
    .end(page);
}

/** A page whose form leads to the service: browsers hold `form-action` against each redirect after it, so it has none. */
function sendIdpPage(response: ServerResponse, { status, text, nonce }: Extract<IdpAnswer, { text: string }>): void {
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      // Without any referrer, browsers send the Origin "null" with its form.
      'referrer-policy': 'same-origin',
      'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`,
    })
    .end(text);
}
