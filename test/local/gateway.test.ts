import { request } from 'node:http';
import { connect } from 'node:net';

import { beforeAll, describe, expect, test } from '@jest/globals';

import type { APIGatewayProxyEventV2 } from 'aws-lambda';

import { startTrial, type Body, type Trial } from './trial/start.ts';

let trial: Trial;
beforeAll(async () => {
  trial = await startTrial();
});

interface Sent {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: Buffer;
}

/** A request without the headers that fetch adds or forbids. */
function send(path: string, { method = 'GET', headers = {}, body }: Sent = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const call = request(`${trial.url}${path}`, { method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    call.on('error', reject);
    call.end(body);
  });
}

const seen = async (path: string, sent?: Sent): Promise<APIGatewayProxyEventV2> =>
  JSON.parse((await send(path, sent)).text) as APIGatewayProxyEventV2;

const readBody = (text: string): Body => JSON.parse(text) as Body;

const respond = (result: unknown) => send(`/x/mirror?result=${encodeURIComponent(JSON.stringify(result))}`);

describe('the Lambda event of a request', () => {
  test('has lower-case headers joined by commas, a list of cookies, the decoded path and the raw query string', async () => {
    const event = await seen('/x/mirror/a%20b?b=2&a=1&b=%2B3&empty', {
      headers: { 'X-Twice': ['one', 'two'], Cookie: 'a=1; b=2', 'User-Agent': 'tester' },
    });
    expect(event).toMatchObject({
      version: '2.0',
      rawPath: '/x/mirror/a b',
      rawQueryString: 'b=2&a=1&b=%2B3&empty',
      queryStringParameters: { a: '1', b: '2,+3', empty: '' },
      cookies: ['a=1', 'b=2'],
      headers: { 'x-twice': 'one,two', 'user-agent': 'tester' },
      requestContext: { http: { method: 'GET', path: '/x/mirror/a b', protocol: 'HTTP/1.1', userAgent: 'tester' } },
      isBase64Encoded: false,
    });
    expect(event.headers.cookie).toBeUndefined();
    expect(event.body).toBeUndefined();
    expect(['127.0.0.1', '::1']).toContain(event.requestContext.http.sourceIp);
  });

  test.each([
    ['%C3%BC', 'ü'],
    ['50%25', '50%'],
    ['a%2520b', 'a%20b'],
    ['a+b', 'a+b'],
    ['50%', '50%'],
    ['a%3Fb', 'a'],
  ])('has the path decoded once, as in API Gateway: %s', async (sent, seenAs) => {
    expect((await seen(`/x/mirror/${sent}`)).rawPath).toBe(`/x/mirror/${seenAs}`);
  });

  test.each([
    ['application/json', '{"a":"ü"}', false],
    ['application/scim+json; charset=utf-8', '{}', false],
    ['text/plain', 'ü', false],
    ['application/x-www-form-urlencoded', 'a=1', true],
    ['application/octet-stream', 'a', true],
  ])('has the body of %s as text or base64', async (type, text, isBase64Encoded) => {
    const event = await seen('/x/mirror', {
      method: 'POST',
      headers: { 'content-type': type },
      body: Buffer.from(text),
    });
    expect(event.isBase64Encoded).toBe(isBase64Encoded);
    expect(Buffer.from(event.body ?? '', isBase64Encoded ? 'base64' : 'utf8').toString()).toBe(text);
  });

  test('has base64 for bytes that are not text, whatever the content type', async () => {
    const body = Buffer.from([0x22, 0xff, 0x22]);
    const event = await seen('/x/mirror', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect([event.isBase64Encoded, event.body]).toEqual([true, body.toString('base64')]);
  });

  test('never contains a client address from a header', async () => {
    const event = await seen('/x/mirror', { headers: { 'X-Forwarded-For': '203.0.113.9' } });
    expect(event.requestContext.http.sourceIp).not.toBe('203.0.113.9');
  });
});

describe('the response of a Lambda function', () => {
  test('reaches the client with the status, headers, cookies and body that the function returned', async () => {
    const got = await respond({ statusCode: 201, headers: { 'X-One': 1 }, cookies: ['a=1', 'b=2'], body: 'made' });
    expect(got).toMatchObject({ status: 201, text: 'made' });
    expect(got.headers).toMatchObject({ 'x-one': '1', 'set-cookie': ['a=1', 'b=2'] });
  });

  test('is decoded from base64 if marked, and is JSON if it has no status', async () => {
    const encoded = await respond({
      statusCode: 200,
      isBase64Encoded: true,
      body: Buffer.from('bytes').toString('base64'),
    });
    expect(encoded.text).toBe('bytes');
    expect(await respond({ plain: true })).toMatchObject({ status: 200, text: '{"plain":true}' });
  });

  test('has no body for HEAD and for 204', async () => {
    const head = await send('/x/mirror', { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(Number(head.headers['content-length'])).toBeGreaterThan(0);
    expect((await respond({ statusCode: 204, body: 'no' })).text).toBe('');
  });

  test.each([[{ statusCode: 1 }], ['throw']])('is a 500 that reveals nothing for %j', async (result) => {
    const path = `/x/mirror?result=${result === 'throw' ? 'throw' : encodeURIComponent(JSON.stringify(result))}`;
    const { status, text } = await send(path);
    expect([status, readBody(text)]).toEqual([500, { message: 'Internal Server Error' }]);
    expect(text).not.toContain('asked to fail');
  });
});

describe('the gateway', () => {
  test('adds a request id to every response', async () => {
    for (const path of ['/x/mirror', '/nothing', '/x/mirror?result=throw', '/x/trial/notes']) {
      expect((await send(path)).headers['x-request-id']).toMatch(/^[\w-]{8,64}$/);
    }
  });

  test('routes the paths of the topology, the most specific first', async () => {
    for (const path of ['/', '/x', '/x//mirror', '/constructor']) {
      const { status, text } = await send(path);
      expect([path, status, readBody(text)]).toEqual([path, 404, { message: 'Not Found' }]);
    }
    expect((await send('/x/mirror/')).status).toBe(404);
    // The function's own router knows the paths below a greedy route.
    expect((await send('/x/mirror/a/b')).status).toBe(200);
    const { status, headers } = await send('/x/trial/notes', { method: 'OPTIONS' });
    expect([status, headers.allow]).toEqual([405, 'POST, GET']);
  });

  test('rejects a body over 10 MB and passes on one of 2 MB', async () => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${trial.apiKey}` };
    const large = await send('/x/mirror', { method: 'POST', headers, body: Buffer.alloc(10 * 1024 * 1024 + 1, 'a') });
    expect([large.status, readBody(large.text)]).toEqual([413, { message: 'Request Entity Too Large' }]);
    const two = await send('/x/trial/notes', { method: 'POST', headers, body: Buffer.alloc(2_000_000, 'a') });
    expect([two.status, readBody(two.text).code]).toEqual([413, 'payload_too_large']);
  });

  test('rejects too large URLs and headers, and requests that are not HTTP', async () => {
    const raw = (text: string) =>
      new Promise<string>((resolve) => {
        let output = '';
        const socket = connect(Number(new URL(trial.url).port), '127.0.0.1', () => socket.write(text));
        socket.on('data', (chunk) => (output += chunk.toString())).on('close', () => resolve(output));
      });
    const head = 'GET /x/mirror HTTP/1.1\r\nHost: localhost\r\n';
    expect(await raw(`${head}X-Big: ${'a'.repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1.1 431 [^]*X-Request-ID: /);
    const long = `GET /x/mirror?q=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    expect(await raw(long)).toMatch(/^HTTP\/1.1 431 [^]*"headers_too_large"[^]*shorter query/);
    expect(await raw('nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400 [^]*"invalid_request"/);
  });

  test('throttles requests at the rate of the stage, with the response of API Gateway', async () => {
    const limited = await startTrial({ limits: true });
    const responses = await Promise.all(Array.from({ length: 20 }, () => limited.call('GET', '/x/mirror')));
    const rejected = responses.filter(({ status }) => status === 429);
    expect(rejected.length).toBeGreaterThan(5);
    expect(rejected.length).toBeLessThan(20);
    expect(rejected[0]?.body).toEqual({ message: 'Too Many Requests' });
    expect(rejected[0]?.headers.has('retry-after')).toBe(false);
    await limited.stop();
  });
});

describe('the control endpoint /_local', () => {
  test.each([
    ['a Host that is no loopback name', { Host: 'gatehouse.evil.example' }],
    ['a Host that begins like one', { Host: 'localhost.evil.example' }],
    ['an Origin elsewhere', { Origin: 'https://evil.example' }],
    ['an opaque Origin', { Origin: 'null' }],
    ['a cross-site fetch', { 'Sec-Fetch-Site': 'cross-site' }],
  ])('rejects %s', async (_, headers) => {
    for (const [method, path] of [
      ['GET', '/_local/messages'],
      ['POST', '/_local/reset'],
      ['GET', '/_local'],
      ['GET', '/_local/nothing'],
    ] as const) {
      const { status, text } = await send(path, { method, headers });
      expect([status, readBody(text).code]).toEqual([403, 'forbidden']);
    }
  });

  test('rejects a change by a page of another port of this machine, and allows it to read', async () => {
    const headers = { Origin: 'http://localhost:5173', 'Content-Type': 'text/plain', 'Sec-Fetch-Site': 'same-site' };
    expect((await send('/_local/reset', { method: 'POST', headers, body: Buffer.from('{}') })).status).toBe(403);
    expect((await send('/_local/clock', { headers: { Origin: headers.Origin } })).status).toBe(200);
  });

  test('responds to its own origin, with its list of endpoints', async () => {
    expect((await send('/_local/clock', { headers: { Origin: trial.url } })).status).toBe(200);
    const { status, text } = await send('/_local/nothing');
    expect([status, readBody(text).message]).toEqual([404, expect.stringContaining('POST reset')]);
    expect((await send('/_local/reset', { method: 'POST', body: Buffer.from('{') })).status).toBe(400);
  });

  test('has a page that runs only its own script and loads nothing external', async () => {
    const { status, headers, text } = await send('/_local');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const nonce = /<script nonce="([^"]+)"/.exec(text)?.[1];
    expect(headers['content-security-policy']).toContain(`script-src 'nonce-${nonce}'`);
    expect(text).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect((await send('/_local')).text).not.toContain(nonce);
  });
});
