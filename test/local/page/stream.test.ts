import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { addFault, advance, call, eventually, idle, reset, service } from '../../support/service.ts';
import { visit } from './visit.ts';

beforeEach(() => reset({ calm: true }));

const open = new Set<AbortController>();
afterEach(() => {
  for (const controller of open) controller.abort();
  open.clear();
});

interface Sent {
  event: string;
  id: string;
  data: { id?: string; html?: string };
}

/** Opens a stream of changes. @returns the events that have arrived, which grow */
async function follow(since: string, headers: Record<string, string> = {}): Promise<Sent[]> {
  const { url } = await service();
  const controller = new AbortController();
  open.add(controller);
  const { signal } = controller;
  const response = await fetch(`${url}/_local/stream?since=${since}`, { headers, signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const arrived: Sent[] = [];
  let text = '';
  const receive = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(part, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const read = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
        const data = read('data');
        if (data !== '') arrived.push({ event: read('event'), id: read('id'), data: JSON.parse(data) as Sent['data'] });
      }
    }
  };
  receive().catch(() => undefined);
  return arrived;
}

/** The current position of the page's stream. */
const position = async (): Promise<string> => /data-since="([^"]+)"/.exec((await visit('')).text)?.[1] ?? '';

const ofKind = (arrived: readonly Sent[], event: string) => arrived.filter((sent) => sent.event === event);

describe('the stream of the page', () => {
  test('sends a request with its mail when it happens, and nothing while nothing happens', async () => {
    const arrived = await follow(await position());
    await eventually(
      () => ofKind(arrived, 'part'),
      (parts) => parts.length === 2,
    );
    const { status } = await call('POST', '/user_management/magic_auth', { email: 'ada@example.com' });
    // Without its message there would be nothing to wait for.
    expect(status).toBe(201);
    await eventually(
      () => ofKind(arrived, 'mail'),
      (mails) => mails.length > 0,
    );
    expect(ofKind(arrived, 'trace').at(-1)?.data.html).toContain('Your sign-in code');
    await idle();
    await call('GET', '/_local/clock');
    const before = arrived.length;
    await call('GET', '/_local/idle?wait_ms=200');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(arrived).toHaveLength(before);
  });

  test('continues after the last event that a browser has seen', async () => {
    const first = await follow(await position());
    await call('POST', '/organizations', { name: 'Looms' });
    await eventually(
      () => ofKind(first, 'trace'),
      (traces) => traces.length > 0,
    );
    await idle();
    const seen = first.at(-1)?.id ?? '';
    await call('POST', '/organizations', { name: 'Engines' });
    const again = await follow('', { 'last-event-id': seen });
    await eventually(
      () => ofKind(again, 'trace'),
      (traces) => traces.length > 0,
    );
    const displayed = ofKind(again, 'trace')
      .map(({ data }) => data.html)
      .join('');
    expect(displayed).toContain('Engines');
    expect(displayed).not.toContain('Looms');
  });

  test('asks the page to load again after a reset', async () => {
    const arrived = await follow(await position());
    await reset({ calm: true });
    await eventually(
      () => ofKind(arrived, 'reset'),
      (resets) => resets.length === 1,
    );
    const stale = await follow('another-time.7');
    await eventually(
      () => ofKind(stale, 'reset'),
      (resets) => resets.length === 1,
    );
  });

  test('sends the clock when it is moved and the faults when one is added', async () => {
    const arrived = await follow(await position());
    await eventually(
      () => ofKind(arrived, 'part'),
      (parts) => parts.length === 2,
    );
    await advance(7_200);
    await addFault({ target: 'mail', kind: 'unavailable' });
    await eventually(
      () => ofKind(arrived, 'part'),
      (parts) => parts.length >= 4,
    );
    const displayed = ofKind(arrived, 'part')
      .map(({ data }) => data.html)
      .join('');
    expect(displayed).toContain('2 h ahead');
    expect(displayed).toContain('Lift unavailable of mail');
  });

  test('is limited in number', async () => {
    const since = await position();
    for (let at = 0; at < 32; at += 1) await follow(since);
    const { status, text } = await visit(`/stream?since=${since}`);
    expect([status, text]).toEqual([429, expect.stringContaining('too_many_streams')]);
  });
});
