import { beforeEach, describe, expect, test } from '@jest/globals';

import { type ApiResponse, call, idle, reset } from '../support/service.ts';

beforeEach(() => reset());

interface Made {
  id: string;
  slug?: string;
  roles?: unknown[];
}

/**
 * The key that the JVM's official client sends: a hash of the request, so requests with the same body have the same key.
 */
const KEY = 'retry-5f0c6f3a';
const repeatable = (path: string, body: unknown): Promise<ApiResponse<Made>> =>
  call('POST', path, body, { headers: { 'idempotency-key': KEY } });

const makeId = async (path: string, body: unknown): Promise<string> => {
  const response = await call<Made>('POST', path, body);
  expect(response.status).toBe(201);
  return response.body.id;
};
const organization = () => makeId('/organizations', { name: 'Acme' });
const user = (email = 'ada@acme.example') => makeId('/user_management/users', { email });

/** The creation of a record, and the path of its deletion. */
interface Creation {
  path: string;
  body: unknown;
  deletedAt: (made: Made) => string;
}

const creations: Record<string, () => Promise<Creation>> = {
  'an organization': async () => ({
    path: '/organizations',
    body: { name: 'Acme', external_id: 'acme', domain_data: [{ domain: 'acme.example', state: 'verified' }] },
    deletedAt: ({ id }) => `/organizations/${id}`,
  }),
  'a domain of an organization': async () => ({
    path: '/organization_domains',
    body: { organization_id: await organization(), domain: 'acme.example' },
    deletedAt: ({ id }) => `/organization_domains/${id}`,
  }),
  'an IT contact': async () => {
    const path = `/organizations/${await organization()}/it_contacts`;
    return { path, body: { email: 'it@acme.example' }, deletedAt: ({ id }) => `${path}/${id}` };
  },
  'a user': async () => ({
    path: '/user_management/users',
    body: { email: 'ada@acme.example', external_id: 'ada' },
    deletedAt: ({ id }) => `/user_management/users/${id}`,
  }),
  'a membership': async () => ({
    path: '/user_management/organization_memberships',
    body: { user_id: await user(), organization_id: await organization() },
    deletedAt: ({ id }) => `/user_management/organization_memberships/${id}`,
  }),
  'a membership that the creation reactivated': async () => {
    const path = '/user_management/organization_memberships';
    const body = { user_id: await user(), organization_id: await organization() };
    await call('PUT', `${path}/${await makeId(path, body)}/deactivate`);
    return { path, body, deletedAt: ({ id }) => `${path}/${id}` };
  },
  'a redirect URI': async () => {
    const path = '/user_management/redirect_uris';
    // The first redirect URI is the default, which cannot be deleted.
    await makeId(path, { uri: 'https://acme.example/first' });
    return { path, body: { uri: 'https://acme.example/callback' }, deletedAt: ({ id }) => `${path}/${id}` };
  },
  'a CORS origin': async () => ({
    path: '/user_management/cors_origins',
    body: { origin: 'https://acme.example' },
    deletedAt: ({ id }) => `/x/cors_origins/${id}`,
  }),
  'a hosted OAuth resource': async () => ({
    path: '/user_management/hosted_oauth_resources',
    body: { uri: 'https://acme.example/mcp' },
    deletedAt: ({ id }) => `/user_management/hosted_oauth_resources/${id}`,
  }),
  'an entry of a waitlist': async () => ({
    path: '/user_management/waitlists/default/entries',
    body: { email: 'ada@acme.example' },
    deletedAt: ({ id }) => `/user_management/waitlist_entries/${id}`,
  }),
  'an object of the vault': async () => ({
    path: '/vault/v1/kv',
    body: { name: 'token', value: 'v', key_context: { tenant: 'acme' } },
    deletedAt: ({ id }) => `/vault/v1/kv/${id}`,
  }),
  'a data integration': async () => ({
    path: '/data-integrations',
    body: { provider: 'openai', auth_methods: ['api_key'] },
    deletedAt: ({ slug }) => `/data-integrations/${slug}`,
  }),
  'a connected account': async () => {
    await makeId('/data-integrations', { provider: 'openai', auth_methods: ['api_key'] });
    const userId = await user();
    return {
      path: '/data-integrations/openai/api-key',
      body: { user_id: userId, secret: 'a-key-of-theirs', connection_intent: 'add' },
      deletedAt: ({ id }) => `/user_management/users/${userId}/connected_accounts/openai?connected_account_id=${id}`,
    };
  },
};

describe('after its record was deleted, a repeated creation with the same Idempotency-Key creates a new', () => {
  test.each(Object.keys(creations))('record: %s', async (name) => {
    const { path, body, deletedAt } = (await creations[name]?.()) as Creation;
    const first = await repeatable(path, body);
    expect(first.status).toBe(201);
    expect(await repeatable(path, body)).toMatchObject({ status: 201, body: first.body });
    expect((await call('DELETE', deletedAt(first.body))).status).toBeLessThan(300);
    await idle();
    const second = await repeatable(path, body);
    expect([second.status, second.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect(second.body.id).not.toBe(first.body.id);
    const third = await repeatable(path, body);
    expect(third).toMatchObject({ status: 201, body: second.body });
    expect((await call('DELETE', deletedAt(second.body))).status).toBeLessThan(300);
  });
});

describe('an object of the vault', () => {
  const body = { name: 'token', value: 'v', key_context: {} };
  const create = (key: string, members: object = {}) =>
    call<Made>('POST', '/vault/v1/kv', { ...body, ...members }, { headers: { 'idempotency-key': key } });

  test('whose name exists returns the first response to a repeated creation, and 409 to any other creation', async () => {
    const first = await create(KEY);
    expect(await create(KEY)).toMatchObject({ status: 201, body: first.body });
    expect(await create('another')).toMatchObject({ status: 409 });
    expect(await create(KEY, { value: 'w' })).toMatchObject({ status: 409, body: { error: expect.any(String) } });
  });

  test('whose name was deleted and used again returns 409 to a repeated creation', async () => {
    const first = await create(KEY);
    await call('DELETE', `/vault/v1/kv/${first.body.id}`);
    const other = await create('another', { value: 'w' });
    expect(await create(KEY)).toMatchObject({ status: 409 });
    expect(await call('GET', `/vault/v1/kv/${other.body.id}`)).toMatchObject({ body: { value: 'w' } });
  });
});

test('an organization whose metadata fills 90 KB in a three-byte script is created once by repeated requests', async () => {
  const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, '語'.repeat(600)]));
  const responses = await Promise.all(
    Array.from({ length: 3 }, () => repeatable('/organizations', { name: 'A', metadata })),
  );
  expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1);
  expect(await repeatable('/organizations', { name: 'B', metadata })).toMatchObject({
    status: 409,
    body: { code: 'idempotency_error' },
  });
});
