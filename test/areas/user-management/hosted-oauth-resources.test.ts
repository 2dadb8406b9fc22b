import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, reset } from '../../support/service.ts';

interface Resource {
  id: string;
  uri: string;
  default: boolean;
}

const PATH = '/user_management/hosted_oauth_resources';
const register = (body: object) => call<Resource>('POST', PATH, body);
const list = async (query = ''): Promise<Resource[]> =>
  (await call<{ data: Resource[] }>('GET', `${PATH}${query}`)).body.data;

beforeEach(() => reset());

describe('a hosted OAuth resource', () => {
  test('is registered once, listed and deleted, under both names of its path', async () => {
    const { status, body } = await register({ uri: 'https://mcp.example.com' });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { object: 'hosted_oauth_resource', uri: 'https://mcp.example.com', default: false },
    });
    expect(await register({ uri: 'https://mcp.example.com', default: true })).toMatchObject({
      status: 422,
      body: { code: 'hosted_oauth_resource_already_registered' },
    });
    expect(await list()).toEqual([body]);
    const aliased = await call<{ data: Resource[] }>('GET', '/user_management/authkit_oauth_resources');
    expect(aliased.body.data).toEqual([body]);
    expect((await call('DELETE', `${PATH}/${body.id}`)).status).toBe(204);
    expect((await call('DELETE', `${PATH}/${body.id}`)).status).toBe(404);
    expect((await register({ uri: 'https://mcp.example.com' })).status).toBe(201);
  });

  test('replaces the former default, and leaves none when it is deleted', async () => {
    const { body: first } = await register({ uri: 'https://one.example.com', default: true });
    const { body: second } = await register({ uri: 'https://two.example.com', default: true });
    expect((await list()).map(({ id, default: isDefault }) => [id, isDefault])).toEqual([
      [second.id, true],
      [first.id, false],
    ]);
    expect((await call('DELETE', `${PATH}/${second.id}`)).status).toBe(204);
    expect((await list()).map((resource) => resource.default)).toEqual([false]);
    expect((await register({ uri: 'https://three.example.com', default: true })).body.default).toBe(true);
  });

  test('is the only default, also after parallel changes', async () => {
    const uris = Array.from({ length: 10 }, (_, at) => `https://r${at}.example.com`);
    const responses = await Promise.all(uris.map((uri) => register({ uri, default: true })));
    expect(responses.some(({ status }) => status === 201)).toBe(true);
    expect((await list('?limit=100')).filter((resource) => resource.default)).toHaveLength(1);
  });

  test('may contain a wildcard, but not as the default', async () => {
    expect((await register({ uri: 'https://*.example.com/mcp' })).status).toBe(201);
    expect(await register({ uri: 'https://*.example.org/mcp', default: true })).toMatchObject({
      status: 422,
      body: { code: 'wildcard_as_default' },
    });
  });

  test.each(['mcp.example.com', 'acme://mcp', 'http://mcp.example.com', 'https://mcp.example.com/#a', 'https://*.com'])(
    'may not be %s',
    async (uri) => {
      expect(await register({ uri })).toMatchObject({ status: 422, body: { errors: [{ field: 'uri' }] } });
    },
  );
});
