import { beforeEach, describe, expect, test } from '@jest/globals';

import { OPERATORS_ENVIRONMENT_ID } from '../../../functions/kernel/authentication/environment-id.ts';
import { newEnvironmentKey } from '../../../functions/kernel/authentication/api-key.ts';
import { askAs, openConsole, operatorGrant } from '../../support/console.ts';
import { addFault, advance, call, idle, now, reset } from '../../support/service.ts';
import { commitRows } from '../../support/user-rows.ts';
import { environment } from '../../support/users.ts';
import { otherEnvironment } from '../authentication/inside.ts';

const PATH = '/x/environment/api_keys';
const DAY = 86_400;
/** More seconds than an instance caches a key. */
const CACHED = 6;

interface Key {
  id: string;
  value: string;
  name: string;
  last_used_on: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  replaced_by: string | null;
  code?: string;
}

let writer: string;
beforeEach(async () => {
  await reset({ calm: true });
  writer = await operatorGrant(['config.read', 'secrets.write']);
});

const create = async (body: object = {}): Promise<Key> => {
  const { status, body: key } = await askAs<Key>(writer, 'POST', PATH, { name: 'Back end', ...body });
  expect(status).toBe(201);
  return key;
};
const find = async (id: string): Promise<Key | undefined> =>
  (await askAs<{ data: Key[] }>(writer, 'GET', PATH)).body.data.find((key) => key.id === id);
const read = async (apiKey: string) => (await call('GET', '/organizations', undefined, { apiKey })).status;
const write = async (apiKey: string) => (await call('POST', '/organizations', { name: 'Acme' }, { apiKey })).status;

describe('an API key', () => {
  test('never lists, makes, rotates or revokes a key of an environment, whatever its limits', async () => {
    const { id } = await create();
    const before = (await askAs<{ data: Key[] }>(writer, 'GET', PATH)).body.data;
    const limited = await create({ read_only: true });
    for (const apiKey of [undefined, limited.value]) {
      for (const [method, path, body] of [
        ['GET', PATH, undefined],
        ['POST', PATH, { name: 'Mallory' }],
        ['POST', `${PATH}/${id}/rotate`, {}],
        ['POST', `${PATH}/${id}/revoke`, undefined],
      ] as const) {
        const response = await call(method, path, body, apiKey === undefined ? {} : { apiKey });
        expect([method, path, response.status, response.body.code]).toEqual([method, path, 403, 'operator_required']);
      }
    }
    const after = (await askAs<{ data: Key[] }>(writer, 'GET', PATH)).body.data;
    expect(after.filter((key) => key.id !== limited.id).map((key) => [key.id, key.revoked_at])).toEqual(
      before.map((key) => [key.id, key.revoked_at]),
    );
  });

  test('is unknown to these operations if it is invalid, like no key at all', async () => {
    for (const apiKey of [null, 'sk_env_x', 'grant_x'])
      expect((await call('POST', PATH, { name: 'Mallory' }, { apiKey })).status).toBe(401);
  });
});

describe('an operator', () => {
  test('without the permission for secrets makes no key', async () => {
    const reader = await operatorGrant(['config.read', 'config.change', 'people.change']);
    const { id } = await create();
    for (const path of [PATH, `${PATH}/${id}/rotate`, `${PATH}/${id}/revoke`]) {
      const { status, body } = await askAs(reader, 'POST', path, { name: 'Mallory' });
      expect([path, status, body.permission]).toEqual([path, 403, 'secrets.write']);
    }
    expect((await askAs(reader, 'GET', PATH)).status).toBe(200);
  });

  test('gives a reason for a key, and makes none on the environment of the operators', async () => {
    const { status, body } = await askAs(writer, 'POST', PATH, { name: 'Key' }, { 'gatehouse-reason': '' });
    expect([status, body.code]).toEqual([400, 'operator_reason_required']);
    await openConsole();
    const owner = await operatorGrant(['operators', 'secrets.write'], { environmentId: OPERATORS_ENVIRONMENT_ID });
    expect((await askAs(owner, 'POST', PATH, { name: 'Key' })).body).toMatchObject({ permission: 'never' });
  });
});

describe('a created key', () => {
  test('is accepted, is shown once, and its list has no value', async () => {
    const key = await create();
    expect(await write(key.value)).toBe(201);
    const list = await askAs(writer, 'GET', PATH);
    expect(JSON.stringify(list.body)).not.toContain(key.value.slice(10));
    expect(await find(key.id)).toMatchObject({ name: 'Back end', revoked_at: null });
  });

  test('allows only the calls that it was created for: those that read, or those of some areas', async () => {
    const reader = await create({ read_only: true });
    expect([await read(reader.value), await write(reader.value)]).toEqual([200, 403]);
    const elsewhere = await create({ areas: ['vault'] });
    expect(await read(elsewhere.value)).toBe(403);
    const unknown = await askAs(writer, 'POST', PATH, { name: 'Key', areas: ['nowhere'] });
    expect(unknown.status).toBe(422);
  });

  test('expires at its time, which is in the future', async () => {
    const expires_at = new Date((await now()) + DAY * 1_000).toISOString();
    const key = await create({ expires_at });
    expect(await read(key.value)).toBe(200);
    await advance(DAY + CACHED);
    expect(await read(key.value)).toBe(401);
    const late = await operatorGrant(['secrets.write']);
    expect((await askAs(late, 'POST', PATH, { name: 'Key', expires_at })).status).toBe(422);
  });

  test('shows the day of its last use, once it was used', async () => {
    const key = await create();
    expect(await find(key.id)).toMatchObject({ last_used_on: null });
    await read(key.value);
    const today = new Date(await now()).toISOString().slice(0, 10);
    expect(await find(key.id)).toMatchObject({ last_used_on: today });
    await advance(DAY);
    await read(key.value);
    writer = await operatorGrant(['config.read']);
    const tomorrow = new Date(await now()).toISOString().slice(0, 10);
    expect([tomorrow > today, await find(key.id)]).toMatchObject([true, { last_used_on: tomorrow }]);
  });

  test('is one of at most a hundred valid ones', async () => {
    const others = (await askAs<{ data: Key[] }>(writer, 'GET', `${PATH}?limit=100`)).body.data.length;
    const [first] = await Promise.all(Array.from({ length: 100 - others }, () => create()));
    const { status, body } = await askAs(writer, 'POST', PATH, { name: 'Key' });
    expect([status, body.code]).toEqual([409, 'too_many_keys']);
    expect((await askAs(writer, 'POST', `${PATH}/${first?.id}/revoke`)).status).toBe(200);
    await create();
    const page = await askAs<{ data: Key[]; list_metadata: { after: string } }>(writer, 'GET', `${PATH}?limit=60`);
    const next = `${PATH}?limit=60&after=${page.body.list_metadata.after}`;
    const rest = await askAs<{ data: Key[] }>(writer, 'GET', next);
    const ids = [...page.body.data, ...rest.body.data].map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([101, 101]);
  });
});

describe('a rotation', () => {
  test('makes a key with the same limits, and the former one expires after the overlap', async () => {
    const former = await create({ read_only: true });
    const { status, body: next } = await askAs<Key>(writer, 'POST', `${PATH}/${former.id}/rotate`, {
      overlap_hours: 24,
    });
    expect([status, next]).toEqual([201, expect.objectContaining({ name: 'Back end', read_only: true })]);
    expect([await read(former.value), await read(next.value), await write(next.value)]).toEqual([200, 200, 403]);
    expect(await find(former.id)).toMatchObject({ replaced_by: next.id, expires_at: expect.any(String) });
    await advance(DAY + CACHED);
    expect([await read(former.value), await read(next.value)]).toEqual([401, 200]);
  });

  test('without an overlap ends the former key, and is done once', async () => {
    const former = await create();
    const path = `${PATH}/${former.id}/rotate`;
    expect((await askAs(writer, 'POST', path, { overlap_hours: 0 })).status).toBe(201);
    await advance(CACHED);
    expect(await read(former.value)).toBe(401);
    const { status, body } = await askAs(writer, 'POST', path, {});
    expect([status, body.code]).toEqual([409, 'api_key_ended']);
  });
});

describe('a revoked key', () => {
  test('is rejected within seconds, stays in the list, and is revoked once', async () => {
    const key = await create();
    expect(await read(key.value)).toBe(200);
    const { body: revoked } = await askAs<Key>(writer, 'POST', `${PATH}/${key.id}/revoke`);
    expect(revoked.revoked_at).not.toBeNull();
    await advance(CACHED);
    expect(await read(key.value)).toBe(401);
    const again = await askAs<Key>(writer, 'POST', `${PATH}/${key.id}/revoke`);
    expect([again.status, again.body.revoked_at]).toEqual([200, revoked.revoked_at]);
    expect(await find(key.id)).toMatchObject({ revoked_at: revoked.revoked_at });
  });

  test('is revoked right after its creation, even while lists lag', async () => {
    await addFault({ target: 'table', kind: 'stale_lists', delay_ms: 5_000 });
    const { id } = await create();
    const { status, body } = await askAs<Key>(writer, 'POST', `${PATH}/${id}/revoke`);
    expect([status, body.id]).toEqual([200, id]);
  });

  test('may be one that was created before ids of keys were unique values', async () => {
    const { record, writes } = newEnvironmentKey(await environment(), 'Old');
    await commitRows(record.environmentId, writes.slice(0, 1));
    await idle();
    expect((await askAs(writer, 'POST', `${PATH}/${record.keyId}/revoke`)).status).toBe(200);
    expect((await find(record.keyId))?.revoked_at).not.toBeNull();
  });

  test('of another environment, or that never existed, is the same 404', async () => {
    const { apiKey } = await otherEnvironment();
    const { id } = await create();
    const elsewhere = await operatorGrant(['secrets.write'], {
      environmentId: `environment_${apiKey.slice(7, 33)}`,
    });
    for (const verb of ['rotate', 'revoke']) {
      const foreign = await askAs(elsewhere, 'POST', `${PATH}/${id}/${verb}`, {});
      const missing = await askAs(writer, 'POST', `${PATH}/api_key_01K0G000000000000000000000/${verb}`, {});
      expect([foreign.status, foreign.body]).toEqual([404, missing.body]);
    }
    expect((await find(id))?.revoked_at).toBeNull();
  });
});
