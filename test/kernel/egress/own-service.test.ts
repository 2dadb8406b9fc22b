import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { callOwnService } from '../../../functions/kernel/egress/own-service.ts';
import { serveAt } from '../../support/base-url.ts';

let own: Server;
let other: Server;
/** The requests that each server got: method, address and the bearer token. */
const seen = { own: [] as string[], other: [] as string[] };
const readPort = (server: Server): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  own = createServer((request, response) => {
    seen.own.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    if (request.url === '/moved') response.writeHead(302, { location: `http://127.0.0.1:${readPort(other)}/` }).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"Acme"}');
  }).listen(0, '127.0.0.1');
  other = createServer((request, response) => {
    seen.other.push(String(request.url));
    response.end();
  }).listen(0, '127.0.0.1');
  await Promise.all([own, other].map((server) => new Promise((resolve) => server.once('listening', resolve))));
  serveAt(`http://127.0.0.1:${readPort(own)}`);
});

afterAll(() => {
  serveAt(undefined);
  own.close();
  other.close();
});

describe('a call of the service’s own API', () => {
  test('goes to the base URL with its token', async () => {
    const response = await callOwnService({ method: 'GET', path: '/organizations/org_1?a=b', token: 'grant_x' });
    expect([response.status, Buffer.from(response.body).toString()]).toEqual([200, '{"name":"Acme"}']);
    expect(seen.own.at(-1)).toBe('GET /organizations/org_1?a=b Bearer grant_x');
  });

  test('keeps the connections of eight reads at once for the next eight', async () => {
    let opened = 0;
    own.on('connection', () => (opened += 1));
    const read = () => callOwnService({ method: 'GET', path: '/organizations', token: 'grant_x' });
    const readAll = () => Promise.all(Array.from({ length: 8 }, read));
    await readAll();
    const before = opened;
    await readAll();
    expect([before >= 7, opened]).toEqual([true, before]);
  });

  test('does not follow a redirect', async () => {
    const response = await callOwnService({ method: 'GET', path: '/moved', token: 'grant_x' });
    expect(response.status).toBe(302);
    expect(seen.other).toEqual([]);
  });

  test.each([
    ['another host', '@evil.example/'],
    ['another port', ':1/'],
    ['a host of its own', '//evil.example/'],
    ['another scheme', 'https://evil.example/'],
    ['a parent', '/organizations/../x'],
    ['an encoded parent', '/organizations/%2e%2e/x'],
    ['a backslash', '/\\evil.example'],
    ['a fragment', '/organizations#x'],
    ['a line break', '/organizations\r\nhost: evil.example'],
    ['nothing', ''],
  ])('cannot be sent to %s', async (_what, path) => {
    const before = seen.own.length;
    const result = await callOwnService({ method: 'GET', path, token: 'grant_x' }).then(
      ({ status }) => status,
      (error: { code?: string }) => error.code,
    );
    // A path that begins with two slashes is a path on the service's own host.
    if (path.startsWith('//')) expect(seen.own.at(-1)).toContain('GET //evil.example/');
    else expect([result, seen.own.length]).toEqual(['invalid_url', before]);
    expect(seen.other).toEqual([]);
  });
});
