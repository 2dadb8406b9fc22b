import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { selfSigned } from './certificate.ts';
import { closeAll, failure, fakeResolver, listenHttp, listenHttps, listenRaw, localEgress } from './loopback.ts';

afterEach(closeAll);

const limits = { timeoutMs: 5_000, maxBytes: 10_000 };
const get = { method: 'GET', ...limits };

/** A server that echoes the request. */
const listenEcho = () =>
  listenHttp((request, response) => {
    void text(request).then((body) => {
      response.setHeader('set-cookie', ['a=1', 'b=2']);
      response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }));
    });
  });

interface Echo {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

const readEcho = (body: Uint8Array) => JSON.parse(Buffer.from(body).toString()) as Echo;

describe('an outgoing request', () => {
  test('sends exactly the given bytes and returns the whole response', async () => {
    const port = await listenEcho();
    const url = `http://127.0.0.1:${port}/hook?a=1&b=%20`;
    const headers = { 'Content-Type': 'application/json', authorization: 'Bearer token' };
    const response = await localEgress().send({ ...limits, method: 'POST', url, headers, body: '{"é":1}' });
    const echo = readEcho(response.body);
    expect(echo).toMatchObject({ method: 'POST', url: '/hook?a=1&b=%20', body: '{"é":1}' });
    expect(echo.headers).toMatchObject({
      host: `127.0.0.1:${port}`,
      'content-length': '8',
      authorization: 'Bearer token',
      'content-type': 'application/json',
      'user-agent': 'Gatehouse',
    });
    expect(response).toMatchObject({ status: 200, url, truncated: false });
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.durationMs).toBeGreaterThan(0);
  });

  test('ignores the caller’s host and framing headers', async () => {
    const port = await listenEcho();
    const headers = {
      host: 'internal',
      'content-length': '1',
      'transfer-encoding': 'chunked',
      connection: 'x-secret',
      te: 'trailers',
      'proxy-authorization': 'Basic x',
    };
    const response = await localEgress().send({
      ...limits,
      method: 'POST',
      url: `http://127.0.0.1:${port}/`,
      headers,
      body: 'abc',
    });
    const { headers: seen, body } = readEcho(response.body);
    expect(body).toBe('abc');
    expect(seen).toMatchObject({ host: `127.0.0.1:${port}`, 'content-length': '3' });
    expect(Object.keys(seen)).not.toEqual(expect.arrayContaining(['te', 'proxy-authorization', 'transfer-encoding']));
    expect(seen.connection).toBe('keep-alive');
  });

  test('can reach localhost under a policy that allows loopback', async () => {
    const port = await listenEcho();
    expect((await localEgress().send({ ...get, url: `http://localhost:${port}/` })).status).toBe(200);
  });

  test('tries the next checked address if one does not respond', async () => {
    const port = await listenEcho();
    const resolver = fakeResolver({ 'two.example.com': ['127.0.0.3', '127.0.0.1'] });
    expect((await localEgress({ resolver }).send({ ...get, url: `http://two.example.com:${port}/` })).status).toBe(200);
  });

  test('to a closed port fails with a connection error', async () => {
    const port = await listenEcho();
    closeAll();
    const error = await failure(localEgress().send({ ...get, url: `http://127.0.0.1:${port}/` }));
    expect(error).toMatchObject({ code: 'connection_failed', retryable: true });
  });
});

describe('connections of outgoing requests', () => {
  test('are reused, unless the call disallows it or they were idle for long', async () => {
    let connections = 0;
    const port = await listenRaw((socket) => {
      connections += 1;
      socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
    });
    const egress = localEgress();
    const url = `http://127.0.0.1:${port}/`;
    for (let i = 0; i < 3; i += 1) await egress.send({ ...get, url });
    expect(connections).toBe(1);
    for (let i = 0; i < 2; i += 1) await egress.send({ ...get, url, reuse: false });
    expect(connections).toBe(3);
    // As in a Lambda that was frozen for a while, no timer runs, but the wall clock advances.
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 5_000);
    await egress.send({ ...get, url });
    now.mockRestore();
    expect(connections).toBe(4);
  });

  test('that closed while idle are replaced for safe methods, and a POST is never sent twice', async () => {
    const seen: string[] = [];
    const port = await listenRaw((socket) => {
      let requests = 0;
      socket.on('data', (data) => {
        seen.push(String(data).split(' ', 1)[0] ?? '');
        requests += 1;
        // The first request gets a response; the connection breaks as the second arrives.
        if (requests === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
        else socket.destroy();
      });
    });
    const url = `http://127.0.0.1:${port}/`;
    const egress = localEgress();
    await egress.send({ ...get, url });
    expect((await egress.send({ ...get, url })).status).toBe(200);
    expect(seen).toEqual(['GET', 'GET', 'GET']);
    await egress.send({ ...get, url });
    expect((await failure(egress.send({ ...limits, method: 'POST', url, body: 'x' }))).code).toBe('connection_failed');
    expect(seen.filter((method) => method === 'POST')).toHaveLength(1);
  });
});

describe('TLS', () => {
  const identity = selfSigned('hooks.example.com');
  const resolver = fakeResolver({ 'hooks.example.com': ['127.0.0.1'], 'other.example.com': ['127.0.0.1'] });

  test('checks the host name of the URL, although the connection goes to an address that was checked before', async () => {
    const names: unknown[] = [];
    const port = await listenHttps(identity, (request, response) => {
      names.push((request.socket as { servername?: unknown }).servername, request.headers.host);
      response.end('ok');
    });
    const egress = localEgress({ resolver, ca: [identity.cert] });
    for (const reuse of [true, false]) {
      expect((await egress.send({ ...get, reuse, url: `https://hooks.example.com:${port}/` })).status).toBe(200);
    }
    expect(names.slice(0, 2)).toEqual(['hooks.example.com', `hooks.example.com:${port}`]);
  });

  test('is rejected for another name, for an unknown authority and for a server without it', async () => {
    const port = await listenHttps(identity, (_request, response) => response.end());
    const plain = await listenHttp((_request, response) => response.end());
    const trusting = localEgress({ resolver, ca: [identity.cert] });
    const calls = [
      trusting.send({ ...get, url: `https://other.example.com:${port}/` }),
      localEgress({ resolver }).send({ ...get, url: `https://hooks.example.com:${port}/` }),
      trusting.send({ ...get, url: `https://hooks.example.com:${plain}/` }),
    ];
    for (const error of await Promise.all(calls.map(failure))) {
      expect(error).toMatchObject({ code: 'tls_failed', retryable: false });
    }
  });
});

describe('a followed redirect', () => {
  const turns: [number, string, string, string][] = [
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [303, 'HEAD', 'HEAD', ''],
    [302, 'PUT', 'PUT', 'body'],
    [307, 'POST', 'POST', 'body'],
    [308, 'POST', 'POST', 'body'],
  ];

  test.each(turns)('of status %d turns %s into %s', async (status, before, after, body) => {
    const seen: Echo[] = [];
    const port = await listenHttp((request, response) => {
      if (request.url === '/') return void response.writeHead(status, { location: '/next' }).end();
      void text(request).then((content) => {
        seen.push({ method: request.method ?? '', url: '', headers: request.headers, body: content });
        response.end();
      });
    });
    const content = before === 'HEAD' ? {} : { body: 'body' };
    const headers = { 'content-type': 'text/plain', authorization: 'Bearer token' };
    const url = `http://127.0.0.1:${port}/`;
    const received = await localEgress().send({ ...limits, ...content, method: before, url, headers, redirects: 1 });
    expect(received).toMatchObject({ status: 200, url: `${url}next` });
    expect(seen).toMatchObject([{ method: after, body, headers: { authorization: 'Bearer token' } }]);
    expect('content-type' in (seen[0]?.headers ?? {})).toBe(after === before);
  });

  test('to another origin is sent without the credentials', async () => {
    const elsewhere = await listenEcho();
    const port = await listenHttp((_request, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${elsewhere}/` }).end(),
    );
    const headers = { authorization: 'Bearer token', cookie: 'a=1', 'x-trace': '1' };
    const received = await localEgress().send({ ...get, url: `http://127.0.0.1:${port}/`, headers, redirects: 1 });
    const seen = readEcho(received.body).headers;
    expect(seen).toMatchObject({ 'x-trace': '1' });
    expect(seen).not.toHaveProperty('authorization');
    expect(seen).not.toHaveProperty('cookie');
  });
});
