import { beforeEach, describe, expect, test } from '@jest/globals';

import { areas } from '../../functions/registry.ts';
import { call, reset } from '../support/service.ts';

const settings = areas
  .flatMap(({ operations }) => operations)
  .filter(({ id, method }) => method === 'GET' && id.endsWith('.get_settings'))
  .map(({ path }) => path);

beforeEach(() => reset());

describe('the settings of an environment', () => {
  test('have their own operations in several areas', () => {
    expect(settings.length).toBeGreaterThan(3);
  });

  test.each(settings)('%s returns defaults, which can be written back unchanged', async (path) => {
    const { status, body } = await call('GET', path);
    expect(status).toBe(200);
    expect(await call('PUT', path, body)).toMatchObject({ status: 200, body });
    expect((await call('GET', path)).body).toEqual(body);
  });
});
