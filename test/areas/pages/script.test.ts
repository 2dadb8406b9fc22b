import { beforeEach, expect, test } from '@jest/globals';

import { call, reset } from '../../support/service.ts';

beforeEach(() => reset());

test('the pages’ script is served only under the URL that the pages contain, and can be cached permanently', async () => {
  const { body: page } = await call<string>('GET', '/hosted/signed-out', undefined, { apiKey: null });
  const name = /<script src="([^"]+)"/.exec(page)?.[1] ?? '';
  const { status, headers } = await call('GET', name, undefined, { apiKey: null });
  expect([status, headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
  expect(headers['cache-control']).toContain('immutable');
  expect((await call('GET', name.replace('.js', '0.js'), undefined, { apiKey: null })).status).toBe(404);
});
