import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { generate } from 'otplib';

import { browser } from '../support/browser.ts';

/** The response of the provider to the client id and secret below, for any code. */
const TOKENS = { token_type: 'Bearer', expires_in: 3_600, scope: 'read' };
const ARRIVAL_LIMIT_MS = 30_000;

/** A received webhook. */
interface Arrival {
  path: string;
  headers: Record<string, unknown>;
  body: string;
}

/** The external services that flows need, once for all languages. */
export interface Outside {
  url: string;
  close: () => Promise<void>;
}

/**
 * A loopback server that simulates all parties except the client and the service:
 *
 * - `POST /sign-in {url, email, password}` walks the hosted pages and gives consent if they ask for it, `POST /visit {url}`
 *   follows an address: `{location}`, the first address that is not on loopback;
 * - `POST /totp {secret, in_seconds}` is an authenticator app, now or so many seconds later: `{code}`;
 * - `/hooks/NAME` receives webhooks, `GET /arrivals/NAME?count=N` waits for N of them: `[{headers, body}]`;
 * - `/provider/authorize` and `/provider/token` are a third party whose user agrees at once.
 */
export async function startOutside(): Promise<Outside> {
  const arrivals: Arrival[] = [];
  const server = createServer((request, response) => {
    respond(request, arrivals).then(
      ({ status = 200, location, json }) => {
        const headers = location === undefined ? { 'content-type': 'application/json' } : { location };
        response.writeHead(status, headers).end(json === undefined ? undefined : JSON.stringify(json));
      },
      (error: unknown) => response.writeHead(500).end(JSON.stringify({ error: String(error) })),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => closed(server) };
}

interface Reply {
  status?: number;
  location?: string;
  json?: unknown;
}

async function respond(request: IncomingMessage, arrivals: Arrival[]): Promise<Reply> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://outside');
  const body = await formatText(request);
  if (pathname.startsWith('/hooks/')) {
    arrivals.push({ path: pathname, headers: request.headers, body });
    return { status: 204 };
  }
  if (pathname.startsWith('/arrivals/')) {
    const path = pathname.replace('/arrivals/', '/hooks/');
    return { json: await arrived(arrivals, path, Number(searchParams.get('count') ?? 1)) };
  }
  switch (pathname) {
    case '/sign-in':
      return { json: await signIn(JSON.parse(body) as Record<'url' | 'email' | 'password', string>) };
    case '/visit':
      return { json: { location: (await browser().open((JSON.parse(body) as { url: string }).url)).url } };
    case '/totp':
      return { json: { code: await codeOfApp(JSON.parse(body) as { secret: string; in_seconds?: number }) } };
    case '/provider/authorize':
      return { status: 302, location: agreed(searchParams) };
    case '/provider/token':
      return { json: { ...TOKENS, access_token: `token-for-${new URLSearchParams(body).get('code')}` } };
    default:
      return { status: 404, json: {} };
  }
}

const codeOfApp = ({ secret, in_seconds: offset = 0 }: { secret: string; in_seconds?: number }): Promise<string> =>
  generate({ secret, epoch: Math.floor(Date.now() / 1_000) + offset });

async function signIn({ url, email, password }: Record<'url' | 'email' | 'password', string>): Promise<Reply> {
  const person = browser();
  let page = await person.submit(await person.open(url), { email });
  page = await person.submit(page, { password });
  if (page.text.includes('value="approve"')) page = await person.submit(page, { do: 'approve' });
  const { url: location, status, text } = page;
  if (location.startsWith('http://127.0.0.1') || location.startsWith('http://localhost')) {
    throw new Error(`The pages ended with ${status} at ${location}: ${text.slice(0, 300)}`);
  }
  return { location };
}

/** The redirect back from a provider's consent. */
function agreed(query: URLSearchParams): string {
  const back = new URL(query.get('redirect_uri') ?? '');
  back.searchParams.set('code', 'agreed');
  back.searchParams.set('state', query.get('state') ?? '');
  return back.href;
}

async function arrived(arrivals: readonly Arrival[], path: string, count: number): Promise<Arrival[]> {
  const deadline = performance.now() + ARRIVAL_LIMIT_MS;
  for (;;) {
    const found = arrivals.filter((arrival) => arrival.path === path);
    if (found.length >= count) return found;
    if (performance.now() > deadline) throw new Error(`${found.length} of ${count} webhooks arrived at ${path}`);
    await delay(20);
  }
}

async function formatText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
