import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll, failure, fakeResolver, listenHttp, listenRaw, localEgress } from './loopback.ts';

afterEach(closeAll);

const get = { method: 'GET', timeoutMs: 5_000, maxBytes: 10_000 };

describe('the time limit of an outgoing request', () => {
  const quick = { ...get, timeoutMs: 150 };

  async function endsInTime(call: Promise<unknown>): Promise<void> {
    const start = performance.now();
    expect(await failure(call)).toMatchObject({ code: 'timeout', retryable: true });
    expect(performance.now() - start).toBeLessThan(10_000);
  }

  test('covers a name server that never responds', async () => {
    const resolver = fakeResolver({});
    resolver.addresses = () => new Promise(() => {});
    await endsInTime(localEgress({ resolver }).send({ ...quick, url: 'https://slow.example.com/' }));
  });

  test('covers a TLS handshake that never ends', async () => {
    const port = await listenRaw(() => {});
    await endsInTime(localEgress().send({ ...quick, url: `https://127.0.0.1:${port}/` }));
  });

  test('covers missing response headers', async () => {
    const port = await listenHttp(() => {});
    await endsInTime(localEgress().send({ ...quick, url: `http://127.0.0.1:${port}/` }));
  });

  test('covers slow response headers', async () => {
    const port = await listenRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('x-drip: 1\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    await endsInTime(localEgress().send({ ...quick, url: `http://127.0.0.1:${port}/` }));
  });

  test('covers a slow body, and closes the connection', async () => {
    let hungUp = false;
    const port = await listenHttp((_request, response) => {
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => {
        clearInterval(drip);
        hungUp = true;
      });
    });
    await endsInTime(localEgress().send({ ...quick, url: `http://127.0.0.1:${port}/` }));
    const deadline = Date.now() + 20_000;
    while (!hungUp && Date.now() < deadline) await wait(10);
    expect(hungUp).toBe(true);
  });

  test('covers all redirects together', async () => {
    const port = await listenHttp((_request, response) => {
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 60);
    });
    await endsInTime(localEgress().send({ ...quick, url: `http://127.0.0.1:${port}/`, redirects: 20 }));
  });

  test('reports the caller’s own abort reason if that comes first', async () => {
    const port = await listenHttp(() => {});
    const controller = new AbortController();
    const call = localEgress().send({ ...get, url: `http://127.0.0.1:${port}/`, signal: controller.signal });
    const reason = new Error('no longer wanted');
    controller.abort(reason);
    expect(await failure(call)).toBe(reason);
    expect(await failure(localEgress().fetch(get)('http://127.0.0.1:9/', { signal: controller.signal }))).toBe(reason);
  });
});

describe('the size limit of a response', () => {
  const bodies: [string, Parameters<typeof listenHttp>[0]][] = [
    ['an announced body', (_request, response) => response.end('x'.repeat(20_000))],
    [
      'an endless body',
      (_request, response) => {
        const more = () => {
          while (response.write('x'.repeat(4_096)));
        };
        response.on('drain', more);
        more();
      },
    ],
  ];

  test.each(bodies)('rejects %s, or truncates it if requested', async (_name, listener) => {
    const url = `http://127.0.0.1:${await listenHttp(listener)}/`;
    expect(await failure(localEgress().send({ ...get, url }))).toMatchObject({
      code: 'response_too_large',
      retryable: false,
    });
    const cut = await localEgress().send({ ...get, url, oversize: 'truncate' });
    expect(cut).toMatchObject({ status: 200, truncated: true });
    expect(cut.body).toHaveLength(10_000);
  });

  test('accepts a body of exactly that size', async () => {
    const port = await listenHttp((_request, response) => response.end('x'.repeat(10_000)));
    const received = await localEgress().send({ ...get, url: `http://127.0.0.1:${port}/` });
    expect(received).toMatchObject({ truncated: false });
    expect(received.body).toHaveLength(10_000);
  });

  test('also applies to response headers', async () => {
    const port = await listenHttp((_request, response) =>
      response.writeHead(200, { 'x-large': 'x'.repeat(20_000) }).end(),
    );
    expect((await failure(localEgress().send({ ...get, url: `http://127.0.0.1:${port}/` }))).code).toBe(
      'response_too_large',
    );
  });

  test('counts the transferred bytes, since no compression is requested or decoded', async () => {
    const port = await listenHttp((request, response) => {
      response.setHeader('x-asked', String(request.headers['accept-encoding']));
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip');
    });
    const headers = { 'accept-encoding': 'gzip, br' };
    const received = await localEgress().send({ ...get, url: `http://127.0.0.1:${port}/`, headers });
    expect(received.headers.get('x-asked')).toBe('identity');
    expect(Buffer.from(received.body).toString()).toBe('not gzip');
  });
});

describe('a broken server', () => {
  const responses: [string, string][] = [
    ['hangs up', ''],
    ['speaks no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['ends in mid-body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc'],
    ['ends in mid-chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\nabc'],
    [
      'frames its body twice',
      'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
    ],
    ['responds with an impossible status', 'HTTP/1.1 999 Denied\r\ncontent-length: 0\r\n\r\n'],
    ['switches the protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'],
  ];

  test.each(responses)('that %s is reported as a failed connection, which may be retried', async (_name, bytes) => {
    const port = await listenRaw((socket) => socket.once('data', () => socket.end(bytes)));
    const error = await failure(localEgress().send({ ...get, url: `http://127.0.0.1:${port}/` }));
    expect(error).toMatchObject({ code: 'connection_failed', retryable: true });
    expect(error.message).not.toContain('127.0.0.1');
  });
});
