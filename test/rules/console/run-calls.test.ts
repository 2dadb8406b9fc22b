import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { call } from '../../../functions/faces/console/page/declare.ts';
import { runCalls } from '../../../functions/faces/console/page/run-calls.ts';
import { serveAt } from '../../support/base-url.ts';

const before = process.env.GATEHOUSE_BASE_URL;
const seen: string[] = [];
let server: Server;

/** The API of these tests: it has users, fails at organizations, and never responds about flags. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const { url = '', headers } = request;
    seen.push(`${url} ${headers.authorization ?? ''}`);
    if (url.startsWith('/feature-flags')) return;
    const status = url.startsWith('/organizations')
      ? 500
      : url.startsWith('/user_management/redirect_uris')
        ? 404
        : 200;
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"data":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  serveAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

afterAll(() => {
  serveAt(before);
  server.closeAllConnections();
  server.close();
});

const environment = {
  id: 'environment_01K0G000000000000000000000',
  name: 'Production',
  color: null,
  isProduction: true,
  permissions: new Set(['people.read', 'config.read'] as const),
};

test('a part that fails, has nothing, takes too long or is not permitted is a sentence; the others are complete', async () => {
  const start = performance.now();
  const parts = await runCalls(
    {
      users: call('users.list'),
      failing: call('organizations.list'),
      missing: call('redirect_uris.list'),
      hanging: call('feature_flags.list'),
      forbidden: call('sessions.revoke'),
      unknown: call('nothing.list'),
      escaping: call('users.get', { id: '..' }),
    },
    environment,
    async () => 'grant_1',
  );
  expect(parts).toMatchObject({
    users: { state: 'shown', value: { data: [] } },
    failing: { state: 'left_out', status: 500 },
    missing: { state: 'left_out', status: 404, sentence: 'There is nothing here.' },
    hanging: {
      state: 'left_out',
      status: 504,
      sentence: expect.stringContaining('did not respond in time') as unknown,
    },
    forbidden: { state: 'left_out', status: 403, sentence: 'Your roles do not include this part.' },
    unknown: { state: 'absent' },
    escaping: { state: 'left_out', status: 404 },
  });
  // The calls of a wave are made at once, each with a limit of three seconds.
  expect(performance.now() - start).toBeLessThan(5_000);
  expect(seen.filter((line) => line.startsWith('/user_management/sessions'))).toEqual([]);
  expect(new Set(seen.map((line) => line.split(' ').slice(1).join(' ')))).toEqual(new Set(['Bearer grant_1']));
}, 20_000);
