import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll, failure, listenHttp, localEgress } from './loopback.ts';

afterEach(closeAll);

const limits = { timeoutMs: 5_000, maxBytes: 10_000 };

describe('the guarded fetch', () => {
  test('accepts the arguments of fetch: strings, URLs, Requests, forms, headers', async () => {
    const port = await listenHttp((request, response) => {
      void text(request).then((body) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify([request.method, request.headers['content-type'] ?? null, body]));
      });
    });
    const url = `http://127.0.0.1:${port}/token`;
    const guarded = localEgress().fetch(limits);
    const form = 'application/x-www-form-urlencoded;charset=UTF-8';
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'a b' });
    const sent = [form, 'grant_type=refresh_token&refresh_token=a+b'];
    const received = await guarded(url, { method: 'POST', body, redirect: 'manual' });
    expect(received).toMatchObject({ ok: true, status: 200, url });
    expect(await received.json()).toEqual(['POST', ...sent]);
    expect(await (await guarded(new URL(url))).json()).toEqual(['GET', null, '']);
    expect(await (await guarded(new Request(url, { method: 'PUT', body }))).json()).toEqual(['PUT', ...sent]);
  });

  test('returns responses with error statuses and without a body like others', async () => {
    const port = await listenHttp((request, response) => {
      response.writeHead(request.url === '/none' ? 204 : 400, { 'x-seen': '1' }).end();
    });
    const guarded = localEgress().fetch(limits);
    expect((await guarded(`http://127.0.0.1:${port}/`)).status).toBe(400);
    const empty = await guarded(`http://127.0.0.1:${port}/none`);
    expect([empty.status, empty.body, empty.headers.get('x-seen')]).toEqual([204, null, '1']);
  });

  test('follows redirects according to the `redirect` option and its own limit', async () => {
    const port = await listenHttp((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/there' }).end();
      else response.end('there');
    });
    const url = `http://127.0.0.1:${port}/`;
    const following = localEgress().fetch({ ...limits, redirects: 1 });
    const received = await following(url);
    expect([await received.text(), received.url]).toEqual(['there', `${url}there`]);
    expect((await following(url, { redirect: 'manual' })).status).toBe(302);
    expect((await failure(following(url, { redirect: 'error' }))).code).toBe('too_many_redirects');
    expect((await failure(localEgress().fetch(limits)(url))).code).toBe('too_many_redirects');
  });

  test('sends no code or token over a connection that was idle', async () => {
    const sockets = new Set<unknown>();
    const port = await listenHttp((request, response) => {
      sockets.add(request.socket);
      response.end();
    });
    const guarded = localEgress().fetch(limits);
    for (const method of ['GET', 'GET', 'POST', 'POST']) await guarded(`http://127.0.0.1:${port}/`, { method });
    expect(sockets.size).toBe(3);
  });
});
