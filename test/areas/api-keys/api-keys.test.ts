import { beforeEach, describe, expect, test } from '@jest/globals';

import { type ApiKeyRecord, apiKeys as apiKeyRows } from '../../../functions/access/api-keys/api-key/entity.ts';
import { mintKey } from '../../../functions/kernel/authentication/secret-key.ts';
import { readUlid } from '../../../functions/kernel/id-format.ts';
import { readLastStamp, stampUse } from '../../../functions/kernel/storage/last-use.ts';
import { addFault, advance, call, eventually, idle, now, reset, sdk, service } from '../../support/service.ts';
import { newOrganization } from '../../support/organizations.ts';
import { environment } from '../../support/users.ts';

interface Key {
  id: string;
  value: string;
  obfuscated_value: string;
  owner: Record<string, string>;
  permissions: string[];
  expires_at: string | null;
  last_used_at: string | null;
}

const create = async (organizationId: string, body: object = {}): Promise<Key> => {
  const response = await call<Key>('POST', `/organizations/${organizationId}/api_keys`, { name: 'CI', ...body });
  expect(response.status).toBe(201);
  return response.body;
};

const validate = async (value: string): Promise<Key | null> => {
  const { status, body } = await call<{ api_key: Key | null }>('POST', '/api_keys/validations', { value });
  expect(status).toBe(200);
  return body.api_key;
};

const expire = (id: string, body?: object) => call<Key>('POST', `/api_keys/${id}/expire`, body);

const inOneHour = async (): Promise<string> => new Date((await now()) + 3_600_000).toISOString();

beforeEach(() => reset());

describe('a key of an organization', () => {
  test('is shown only once, has a recognizable prefix, and is valid at once with its permissions', async () => {
    const id = await newOrganization();
    for (const slug of ['posts:read', 'posts:write']) {
      await call('POST', '/authorization/permissions', { slug, name: slug });
    }
    const key = await create(id, { permissions: ['posts:read', 'posts:write', 'posts:read'] });
    expect(key.value).toMatch(/^sk_api_[0-9A-Z]{26}[0-9A-Za-z]{49}$/);
    expect(key.obfuscated_value).toBe(`sk_...${key.value.slice(-4)}`);
    expect(await validate(key.value)).toMatchObject({
      id: key.id,
      owner: { type: 'organization', id },
      permissions: ['posts:read', 'posts:write'],
      expires_at: null,
    });
    const { body } = await eventually(
      () => call<{ data: object[] }>('GET', `/organizations/${id}/api_keys`),
      (response) => response.body.data.length === 1,
    );
    expect(JSON.stringify(body)).not.toContain(key.value);
  });

  test('can have permissions that the environment allows for organizations, and does not show deleted permissions', async () => {
    const id = await newOrganization();
    const unknown = await call('POST', `/organizations/${id}/api_keys`, { name: 'CI', permissions: ['posts:read'] });
    expect(unknown).toMatchObject({ status: 422, body: { errors: [{ field: 'permissions.0' }] } });
    const post = { slug: 'posts:read', name: 'Read' };
    await call('POST', '/authorization/permissions', post);
    const key = await create(id, { permissions: ['posts:read', 'widgets:sso:manage'] });
    await call('DELETE', '/authorization/permissions/posts:read');
    expect(await validate(key.value)).toMatchObject({ permissions: ['widgets:sso:manage'] });
    // A permission that is created again with the slug is a different one.
    await call('POST', '/authorization/permissions', post);
    expect(await validate(key.value)).toMatchObject({ permissions: ['widgets:sso:manage'] });
  });

  test('is not valid with a changed, missing or additional character, in another case, or in another environment', async () => {
    const { id, value } = await create(await newOrganization());
    const { apiKey } = await service();
    const last = value.endsWith('a') ? 'b' : 'a';
    // The id of a key is not a secret, so another key with the same id has a wrong secret and checksum.
    const { value: guessed } = mintKey('sk_api_', readUlid(id));
    const wrong = [
      guessed,
      `${value.slice(0, -1)}${last}`,
      value.slice(0, -1),
      `${value}0`,
      value.toUpperCase(),
      '',
      'sk_api_',
    ];
    for (const text of [...wrong, apiKey, value.replace('sk_api_', 'sk_env_')]) expect(await validate(text)).toBeNull();
  });

  test('cannot authenticate calls to this API', async () => {
    const { value } = await create(await newOrganization());
    expect((await call('GET', '/organizations', undefined, { apiKey: value })).status).toBe(401);
  });

  test('is invalid at once after its revocation', async () => {
    const { id, value } = await create(await newOrganization());
    expect(await validate(value)).not.toBeNull();
    expect((await call('DELETE', `/api_keys/${id}`)).status).toBe(204);
    expect(await validate(value)).toBeNull();
    expect((await call('DELETE', `/api_keys/${id}`)).status).toBe(404);
  });

  test('is invalid within five seconds after its organization was deleted', async () => {
    const id = await newOrganization();
    const { value } = await create(id);
    expect(await validate(value)).not.toBeNull();
    expect((await call('DELETE', `/organizations/${id}`)).status).toBe(202);
    await advance(5);
    expect(await validate(value)).toBeNull();
  });

  test('cannot be created with an expiry in the past', async () => {
    const id = await newOrganization();
    const expires_at = new Date((await now()) - 1).toISOString();
    expect(await call('POST', `/organizations/${id}/api_keys`, { name: 'CI', expires_at })).toMatchObject({
      status: 422,
      body: { code: 'invalid_request_parameters' },
    });
  });
});

describe('the expiry of an API key', () => {
  test('takes effect at its exact time', async () => {
    const expires_at = await inOneHour();
    const { value } = await create(await newOrganization(), { expires_at });
    expect(await validate(value)).toMatchObject({ expires_at });
    await advance(3_600);
    expect(await validate(value)).toBeNull();
  });

  test('is set to the current time by a request with an empty body or none, and emits an event', async () => {
    for (const body of [{}, undefined]) {
      const { id, value } = await create(await newOrganization());
      const { status, body: ended } = await expire(id, body);
      expect(status).toBe(200);
      expect(Date.parse(ended.expires_at ?? '')).toBeLessThanOrEqual(await now());
      expect(await validate(value)).toBeNull();
      expect(await expire(id, body)).toMatchObject({ status: 409, body: { code: 'api_key_already_expired' } });
    }
  });

  test('can be scheduled, moved and cleared until it has passed', async () => {
    const { id, value } = await create(await newOrganization());
    const expires_at = await inOneHour();
    expect((await expire(id, { expires_at })).body.expires_at).toBe(expires_at);
    expect((await expire(id, { expires_at: null })).body.expires_at).toBeNull();
    expect((await expire(id, { expires_at: '2020-01-01T00:00:00Z' })).status).toBe(422);
    await expire(id, { expires_at });
    await advance(3_600);
    expect(await validate(value)).toBeNull();
    expect((await expire(id, { expires_at: null })).status).toBe(409);
  });
});

describe('the last use of an API key', () => {
  test('is stored at most once a minute', async () => {
    const { value } = await create(await newOrganization());
    await validate(value);
    const first = (await validate(value))?.last_used_at;
    expect(Math.abs(Date.parse(first ?? '') - (await now()))).toBeLessThan(10_000);
    await advance(30);
    await validate(value);
    expect((await validate(value))?.last_used_at).toBe(first);
    await advance(31);
    await validate(value);
    expect((await validate(value))?.last_used_at).not.toBe(first);
  });

  test('is stored once by concurrent calls, and not for a key with another value', async () => {
    const { id } = await create(await newOrganization());
    const environmentId = await environment();
    const read = async () => (await apiKeyRows.get(environmentId, id)) as ApiKeyRecord;
    const key = await read();
    await stampUse(apiKeyRows, { ...key, hash: 'another' }, readLastStamp(key));
    expect((await read()).lastUsedAt).toBeUndefined();
    await stampUse(apiKeyRows, key, readLastStamp(key));
    const first = (await read()).lastUsedAt;
    expect(first).toBeDefined();
    for (let each = 0; each < 5; each += 1) await stampUse(apiKeyRows, key, readLastStamp(key));
    expect((await read()).lastUsedAt).toBe(first);
  });

  test('does not delay the response', async () => {
    const { value } = await create(await newOrganization());
    await addFault({ target: 'table', kind: 'unavailable', operations: ['UpdateItem'] });
    expect(await validate(value)).not.toBeNull();
  });

  test('is not changed by an invalid key', async () => {
    const { id, value } = await create(await newOrganization());
    await expire(id);
    await validate(value);
    await advance(61);
    await validate(value);
    expect((await expire(id)).status).toBe(409);
  });
});

describe('API keys of users', () => {
  test('return 404 for an unknown user', async () => {
    const path = '/user_management/users/user_01M7WAZYRCP1QBQ4RJE71ZE9JK/api_keys';
    expect((await call('GET', path)).status).toBe(404);
    const organization_id = await newOrganization();
    expect((await call('POST', path, { name: 'Mine', organization_id })).status).toBe(404);
    expect((await call('POST', path, { name: 'Mine' })).status).toBe(400);
  });
});

describe('the official SDK', () => {
  test('creates, lists, validates and deletes keys', async () => {
    const { apiKeys } = sdk();
    const organizationId = await newOrganization();
    const made = [];
    for (const name of ['one', 'two', 'three']) {
      made.push(await apiKeys.createOrganizationApiKey({ organizationId, name, permissions: ['widgets:sso:manage'] }));
    }
    await idle();
    const page = await apiKeys.listOrganizationApiKeys({ organizationId, limit: 2 });
    expect(page.data.map(({ name }) => name)).toEqual(['three', 'two']);
    const all = await apiKeys.listOrganizationApiKeys({ organizationId });
    expect((await all.autoPagination()).map(({ name }) => name)).toEqual(['three', 'two', 'one']);
    const [first] = made;
    expect((await apiKeys.createValidation({ value: first?.value ?? '' })).apiKey?.id).toBe(first?.id);
    await apiKeys.deleteApiKey(first?.id ?? '');
    expect(await apiKeys.createValidation({ value: first?.value ?? '' })).toEqual({ apiKey: null });
  });
});

describe('events', () => {
  test('report creation, change and revocation, without the value', async () => {
    const { id, value } = await create(await newOrganization());
    const expires_at = await inOneHour();
    await expire(id, { expires_at });
    await call('DELETE', `/api_keys/${id}`);
    await idle();
    const names = ['api_key.created', 'api_key.updated', 'api_key.revoked'];
    const { body } = await call<{ data: { event: string; data: Record<string, unknown> }[] }>(
      'GET',
      `/events?events=${names.join(',')}&order=asc`,
    );
    expect(body.data.map(({ event }) => event)).toEqual(names);
    expect(body.data[1]?.data).toMatchObject({ id, expires_at, previous_attributes: { expires_at: null } });
    expect(JSON.stringify(body)).not.toContain(value);
  });
});
