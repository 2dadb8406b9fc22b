import { beforeEach, describe, expect, test } from '@jest/globals';

import { addFault, call, eventually, idle, reset, sdk } from '../../support/service.ts';
import { readRows } from '../../support/users.ts';

interface Metadata {
  id: string;
  key_id: string;
  version_id: string;
  updated_at: string;
  context: Record<string, string>;
}

const CONTEXT = { team: 'blue' };

const create = async (
  name: string,
  value: string,
  key_context: Record<string, string> = CONTEXT,
): Promise<Metadata> => {
  const { status, body } = await call<Metadata>('POST', '/vault/v1/kv', { name, value, key_context });
  expect(status).toBe(201);
  return body;
};

const read = (id: string) => call<{ value: string; metadata: Metadata }>('GET', `/vault/v1/kv/${id}`);

beforeEach(() => reset());

describe('a vault object', () => {
  test('can be read by its id and by its name, whatever characters the name has', async () => {
    for (const name of ['plain', 'prod/db password', 'metadata', 'ü ✓', '100%']) {
      const { id } = await create(name, `secret of ${name}`);
      expect((await read(id)).body.value).toBe(`secret of ${name}`);
      const named = await call<{ id: string; value: string }>('GET', `/vault/v1/kv/name/${encodeURIComponent(name)}`);
      expect(named.body).toMatchObject({ id, value: `secret of ${name}` });
    }
  });

  test('stores any text of up to 256 KiB in UTF-8 unchanged', async () => {
    for (const value of ['', '\u0000\r\n', '🔑'.repeat(65_536), 'x'.repeat(262_144)]) {
      const { id } = await create(`of ${value.length}`, value);
      expect((await read(id)).body.value === value).toBe(true);
    }
    for (const value of ['x'.repeat(262_145), '🔑'.repeat(65_537)]) {
      const body = { name: 'large', value, key_context: {} };
      expect(await call('POST', '/vault/v1/kv', body)).toMatchObject({
        status: 413,
        body: { error: expect.any(String) },
      });
    }
    const { id } = await create('small', 'x');
    expect((await call('PUT', `/vault/v1/kv/${id}`, { value: 'x'.repeat(262_145) })).status).toBe(413);
  });

  test('has a unique name, which can be used again after its deletion', async () => {
    const { id } = await create('unique', 'one');
    const second = { name: 'unique', value: 'two', key_context: {} };
    expect(await call('POST', '/vault/v1/kv', second)).toMatchObject({ status: 409 });
    const response = await call('DELETE', `/vault/v1/kv/${id}`);
    expect(response).toMatchObject({ status: 200, body: { name: 'unique', success: true } });
    expect((await read(id)).status).toBe(404);
    expect((await call('GET', '/vault/v1/kv/name/unique')).status).toBe(404);
    expect((await call('POST', '/vault/v1/kv', second)).status).toBe(201);
    expect((await call('GET', '/vault/v1/kv/name/unique')).body).toMatchObject({ value: 'two' });
  });

  test.each([
    ['an 11th entry', Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`n${at}`, 'v']))],
    ['a reserved name', { 'aws:x': 'v' }],
    ['one of our own names', { 'gatehouse:environment': 'v' }],
    ['a value that is no text', { name: 1 }],
    ['an empty value', { name: '' }],
    ['a value of 501 characters', { name: 'v'.repeat(501) }],
  ])('is rejected with a context that has %s', async (_, key_context) => {
    expect((await call('POST', '/vault/v1/kv', { name: 'x', value: 'x', key_context })).status).toBe(400);
  });

  test('is described without its value', async () => {
    const { id, key_id } = await create('described', 'secret value');
    const { body, status } = await call('GET', `/vault/v1/kv/${id}/metadata`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, name: 'described', metadata: { id, key_id, context: CONTEXT } });
    expect(JSON.stringify(body)).not.toContain('secret value');
  });

  test.each(['', '/metadata', '/versions'])('is rejected with 400 for a too long id: %p', async (end) => {
    expect((await call('GET', `/vault/v1/kv/${'x'.repeat(65)}${end}`)).status).toBe(400);
  });

  test('returns a 500 in the format of the vault if it cannot be deleted', async () => {
    const { id } = await create('stays', 'x');
    await addFault({ target: 'table', kind: 'refuse', operations: ['TransactWriteItems'], count: 1 });
    expect(await call('DELETE', `/vault/v1/kv/${id}`)).toMatchObject({
      status: 500,
      body: { error: expect.any(String) },
    });
  });
});

describe('an update of a vault object', () => {
  test('replaces the value and is rejected on a stale version', async () => {
    const { id, version_id: first } = await create('changing', 'one');
    const put = (value: string, version_check?: string | null) =>
      call<{ metadata: Metadata }>('PUT', `/vault/v1/kv/${id}`, { value, version_check });
    const { body, status } = await put('two', first);
    expect(status).toBe(201);
    expect((await put('three', first)).status).toBe(409);
    expect((await read(id)).body.value).toBe('two');
    expect((await put('four', null)).status).toBe(201);
    expect((await call('DELETE', `/vault/v1/kv/${id}?version_check=${body.metadata.version_id}`)).status).toBe(409);
  });

  test('succeeds for only one of many requests with the same version', async () => {
    await reset({ calm: true });
    const { id, version_id: version_check } = await create('raced', 'start');
    const responses = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((value) => call('PUT', `/vault/v1/kv/${id}`, { value, version_check })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  test('adds a version, and the newest 50 are kept', async () => {
    await reset({ calm: true });
    const { id } = await create('versioned', 'v1');
    for (let at = 2; at <= 53; at += 1) await call('PUT', `/vault/v1/kv/${id}`, { value: `v${at}` });
    const { body } = await call<{ data: Record<string, unknown>[] }>('GET', `/vault/v1/kv/${id}/versions`);
    expect(body.data).toHaveLength(50);
    expect(body.data.filter(({ current_version }) => current_version)).toHaveLength(1);
    expect(body.data[0]).toMatchObject({ current_version: true, size: 3 });
    expect(new Set(body.data.map(({ etag }) => etag)).size).toBe(50);
    // Without the removal of older versions, the list would have the newest 50 all the same.
    const countStored = async () => (await readRows(id)).filter((kind) => kind === 'vault-version').length;
    expect(await countStored()).toBe(50);
    expect((await call('DELETE', `/vault/v1/kv/${id}`)).status).toBe(200);
    expect((await call('GET', `/vault/v1/kv/${id}/versions`)).status).toBe(404);
    expect(await countStored()).toBe(0);
  });
});

describe('the list of vault objects', () => {
  interface List {
    data: { id: string; name: string; updated_at: string }[];
    list_metadata: { before: string | null; after: string | null };
  }
  const list = async (query: string): Promise<List> => {
    const { status, body } = await call<List>('GET', `/vault/v1/kv?${query}`);
    expect(status).toBe(200);
    return body;
  };
  const names = ({ data }: List): string[] => data.map(({ name }) => name);

  test('has pages in both orders, can be filtered by words and time of change, and contains no values', async () => {
    const made: Metadata[] = [];
    for (const name of ['db one', 'db two', 'api three', 'db four']) made.push(await create(name, 'secret value'));
    await eventually(
      () => list('limit=100'),
      ({ data }) => data.length === 4,
    );
    const first = await list('order=asc&limit=3');
    expect(names(first)).toEqual(['db one', 'db two', 'api three']);
    const second = await list(`order=asc&limit=3&after=${first.list_metadata.after}`);
    expect(names(second)).toEqual(['db four']);
    expect(second.list_metadata.after).toBeNull();
    expect(names(await list(`order=asc&limit=3&before=${second.list_metadata.before}`))).toEqual(names(first));
    expect(names(await list('search=DB&order=asc'))).toEqual(['db one', 'db two', 'db four']);
    expect(names(await list('search=db&limit=1'))).toEqual(['db four']);
    await call('PUT', `/vault/v1/kv/${made[0]?.id}`, { value: 'new' });
    const since = made[3]?.updated_at;
    for (const member of ['updatedAfter', 'updated_after']) {
      const changed = await eventually(
        () => list(`${member}=${since}`),
        ({ data }) => data.length === 1,
      );
      expect(names(changed)).toEqual(['db one']);
      expect(names(await list(`${member}=${since}&search=db`))).toEqual(['db one']);
    }
    expect(JSON.stringify(await list('limit=1000'))).not.toContain('secret value');
  });

  test('rejects an order that the vault does not have, and a limit beyond 1,000', async () => {
    expect((await call('GET', '/vault/v1/kv?order=normal')).status).toBe(400);
    expect((await call('GET', '/vault/v1/kv?limit=1001')).status).toBe(400);
  });
});

test('the official SDK stores, reads, lists, updates and deletes', async () => {
  const { vault } = sdk();
  const made = await vault.createObject({ name: 'by sdk', value: 'one', context: { organization_id: 'org_none' } });
  expect((await vault.readObjectByName('by sdk')).value).toBe('one');
  const changed = await vault.updateObject({ id: made.id, value: 'two', versionCheck: made.versionId ?? '' });
  expect((await vault.readObject({ id: made.id })).value).toBe('two');
  expect((await vault.describeObject({ id: made.id })).metadata.versionId).toBe(changed.metadata.versionId);
  expect(await vault.listObjectVersions({ id: made.id })).toMatchObject([{ currentVersion: true }, {}]);
  await idle();
  expect((await vault.listObjects()).data).toMatchObject([{ id: made.id, name: 'by sdk' }]);
  await vault.deleteObject({ id: made.id });
  await expect(vault.readObject({ id: made.id })).rejects.toMatchObject({ status: 404 });
});

test('every use of the vault emits an event, and no event contains a value', async () => {
  const { id } = await create('told', 'canary-value', { organization_id: 'org_none' });
  await read(id);
  await call('GET', '/vault/v1/kv/name/told');
  await call('PUT', `/vault/v1/kv/${id}`, { value: 'canary-next' });
  await call('GET', `/vault/v1/kv/${id}/metadata`);
  await call('GET', '/vault/v1/kv');
  await call('DELETE', `/vault/v1/kv/${id}`);
  await idle();
  const kinds = ['kek.created', 'data.created', 'data.read', 'data.updated', 'metadata.read', 'names.listed'];
  const asked = [...kinds, 'data.deleted'].map((kind) => `vault.${kind}`);
  const { body } = await call<{ data: { event: string; data: { actor_id: string } }[] }>(
    'GET',
    `/events?events=${asked.join(',')}&order=asc&limit=100`,
  );
  const seen = body.data.map(({ event }) => event.slice('vault.'.length));
  expect(seen.slice(0, 2).sort()).toEqual(['data.created', 'kek.created']);
  expect(seen.slice(2)).toEqual([
    'data.read',
    'data.read',
    'data.updated',
    'metadata.read',
    'names.listed',
    'data.deleted',
  ]);
  expect(JSON.stringify(body)).not.toContain('canary');
});
