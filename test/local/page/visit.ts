import { call, idle, service } from '../../support/service.ts';
import type { Trace } from '../../../lib/local/timeline/trace.ts';

/** A response of `/_local` to a browser. */
export interface Opened {
  status: number;
  headers: Headers;
  text: string;
}

/** Opens a page below `/_local`, as a browser does. */
export async function visit(path: string): Promise<Opened> {
  const { url } = await service();
  const response = await fetch(`${url}/_local${path}`, { headers: { accept: 'text/html' }, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Sends a form of a page, with the headers that a browser adds. */
export async function send(
  action: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Opened> {
  const { url } = await service();
  const response = await fetch(`${url}/_local/actions/${action}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url, 'sec-fetch-site': 'same-origin', ...headers },
    body: new URLSearchParams(fields),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The timeline when no work is in progress, the newest first. */
export async function timeline(): Promise<Trace[]> {
  await idle();
  return (await call<{ data: Trace[] }>('GET', '/_local/timeline')).body.data;
}

/** The trace of the newest request with a method and path. */
export async function findTrace(method: string, path: string): Promise<Trace> {
  const found = (await timeline()).find(({ request }) => request?.method === method && request.path === path);
  if (found === undefined) throw new Error(`The timeline has no ${method} ${path}`);
  return found;
}
