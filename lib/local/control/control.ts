import type { IncomingMessage, ServerResponse } from 'node:http';

import { respondAsProvider } from '../idp/identity-provider.ts';
import { readBody } from '../listen.ts';
import type { Controls } from './controls.ts';
import { isForm, rejectionReason } from './guard.ts';
import { type Handle, makeHandlers } from './handlers.ts';
import { LocalPages } from './pages.ts';
import { type Reply, sendJson, sendReply } from './replies.ts';
import { Streams } from './stream.ts';

const MAX_BODY_BYTES = 512 * 1024;

/** The parts that respond to requests under `/_local`. */
interface Parts {
  controls: Controls;
  handlers: Readonly<Record<string, Handle>>;
  pages: LocalPages;
  streams: Streams;
}

/**
 * Handles requests under `/_local`: functions for developers and tests that a deployment does not have.
 * @returns whether the request was one of them
 */
export function makeControl(controls: Controls): (request: IncomingMessage, response: ServerResponse) => boolean {
  const parts = {
    controls,
    handlers: makeHandlers(controls),
    pages: new LocalPages(controls),
    streams: new Streams(controls),
  };
  return (request, response) => {
    const url = new URL(`http://local${/^\/_local(?:[/?]|$)/.test(request.url ?? '') ? request.url : '/'}`);
    if (!/^\/_local(\/|$)/.test(url.pathname)) return false;
    respond(request, response, url, parts).then(
      (reply) => {
        sendReply(response, reply);
        // Any request but a read may have changed the clock or the faults.
        if (request.method !== 'GET') parts.streams.notify();
      },
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        sendJson(response, { status: 500, body: { code: 'internal_error', message } });
      },
    );
    return true;
  };
}

async function respond(request: IncomingMessage, response: ServerResponse, url: URL, parts: Parts): Promise<Reply> {
  const name = url.pathname.replace(/^\/_local\/?/, '');
  const isOfProvider = /^idp(\/|$)/.test(name);
  const reason = rejectionReason(request, { isPageToOpen: isOfProvider });
  if (reason !== undefined) {
    const message = `/_local only responds to this machine; this request is rejected because ${reason}.`;
    return { status: 403, body: { code: 'forbidden', message } };
  }
  const { method = '' } = request;
  if (name === 'stream' && method === 'GET') {
    if (parts.streams.serve(request, response, url.searchParams.get('since'))) return { isStreamed: true };
    return {
      status: 429,
      body: { code: 'too_many_streams', message: 'Close other tabs with /_local, then try again.' },
    };
  }
  if (name === 'console' && method === 'GET') return { location: await parts.controls.consoleLink() };
  const isPage = method === 'GET' && !isOfProvider && acceptsPage(name, request);
  const presented = isPage ? await parts.pages.show(name, url.searchParams) : undefined;
  if (presented !== undefined) return presented;
  const text = (await readBody(request, MAX_BODY_BYTES))?.toString('utf8') ?? '';
  if (isOfProvider) {
    const asked = { method, path: name, query: url.searchParams, body: text };
    const received = await respondAsProvider(parts.controls.identityProvider, asked);
    return received ?? notFound(`There is no ${name} under /_local.`);
  }
  const done = method === 'POST' && isForm(request) ? await submitForm(name, text, parts) : undefined;
  return done ?? handleJson(`${method} ${name}`, text, url, parts);
}

/** Programs read the faults as JSON at the address of their page. */
const acceptsPage = (name: string, { headers }: IncomingMessage): boolean =>
  name !== 'faults' || headers.accept?.includes('text/html') === true;

/** Does the action of a form; undefined for a name that is not an action. */
async function submitForm(name: string, text: string, { pages }: Parts): Promise<Reply | undefined> {
  const [, act] = /^actions\/([a-z-]+)$/.exec(name) ?? [];
  return act === undefined ? undefined : pages.submit(act, Object.fromEntries(new URLSearchParams(text)));
}

const notFound = (message: string): Reply => ({ status: 404, body: { code: 'not_found', message } });

async function handleJson(key: string, text: string, url: URL, { handlers }: Parts): Promise<Reply> {
  const handle = Object.hasOwn(handlers, key) ? handlers[key] : undefined;
  if (handle === undefined) {
    return notFound(`There is no ${key} under /_local. There are: ${Object.keys(handlers).join(', ')}.`);
  }
  try {
    const body: unknown = text === '' ? {} : JSON.parse(text);
    return await handle({ body, query: url.searchParams });
  } catch (error) {
    if (error instanceof SyntaxError) return { status: 400, body: { code: 'invalid_request', message: 'Send JSON.' } };
    throw error;
  }
}
