import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';

import { clock } from '../../../functions/kernel/clock.ts';
import { sendLinesTo } from '../../../functions/kernel/log.ts';
import { forgetSettings } from '../../../functions/kernel/settings.ts';
import { allRows, type Inside, openInside, put, type Row, readRow } from './inside.ts';

let inside: Inside;
let made = 0;

beforeAll(async () => {
  inside = await openInside();
});
afterEach(() => clock.reset());
afterAll(() => inside.stop());

interface Stored {
  id: string;
  environment_id: string;
  version_id: string;
}

const store = async (value: string, key_context: object = { team: 'blue' }, key?: string): Promise<Stored> => {
  made += 1;
  const body = { name: `object ${made}`, value, key_context };
  const response = await inside.call<Stored>('POST', '/vault/v1/kv', body, key);
  expect(response.status).toBe(201);
  return response.body;
};
const read = (id: string, key?: string) => inside.call<{ value: string }>('GET', `/vault/v1/kv/${id}`, undefined, key);
const value = (of: Stored): Promise<Row> => readRow(of.environment_id, 'vault-value', of.id);
const head = (of: Stored): Promise<Row> => readRow(of.environment_id, 'vault-object', of.id);

const expectRejected = async (of: Stored, key?: string): Promise<void> => {
  const { status, body } = await read(of.id, key);
  expect({ status, hasValue: 'value' in body }).toEqual({ status: 400, hasValue: false });
};

describe.each([
  ['under the stage’s key', { team: 'blue' }],
  ['under an organization’s key', { organization_id: 'org_1', team: 'blue' }],
])('a stored value %s', (_, context) => {
  test('is rejected in another record, even with all its attributes', async () => {
    const [one, two] = [await store('one', context), await store('two', context)];
    const [first, second] = [await value(one), await value(two)];
    await put({ ...second, sealed: first.sealed });
    await expectRejected(two);
    await put({ ...second, sealed: first.sealed, versionId: first.versionId });
    await put({ ...(await head(two)), versionId: first.versionId });
    await expectRejected(two);
  });

  test('is rejected if truncated anywhere', async () => {
    const stored = await store('a secret', context);
    const row = await value(stored);
    const sealed = row.sealed as Uint8Array;
    for (const length of [0, 1, 10, 18, 19, 40, sealed.length - 17, sealed.length - 16, sealed.length - 1]) {
      await put({ ...row, sealed: sealed.subarray(0, length) });
      await expectRejected(stored);
    }
  });

  test('is rejected with any bit changed, with or without cached keys', async () => {
    const stored = await store('a secret', context);
    const row = await value(stored);
    const sealed = row.sealed as Uint8Array;
    for (const isWarm of [true, false]) {
      if (!isWarm) clock.advance(61_000);
      for (let at = 0; at < sealed.length; at += 7) {
        const altered = Uint8Array.from(sealed);
        altered[at] = (altered[at] ?? 0) ^ 0x10;
        await put({ ...row, sealed: altered });
        await expectRejected(stored);
      }
    }
    await put(row);
    expect((await read(stored.id)).body.value).toBe('a secret');
  });

  test('is rejected in another context', async () => {
    const stored = await store('a secret', context);
    await put({ ...(await head(stored)), context: { ...context, team: 'red' } });
    await expectRejected(stored);
    clock.advance(61_000);
    await expectRejected(stored);
  });

  test('is rejected if it was replaced by an earlier version', async () => {
    const stored = await store('old', context);
    const [before, first] = [await value(stored), await head(stored)];
    await inside.call('PUT', `/vault/v1/kv/${stored.id}`, { value: 'new' });
    await put({ ...(await value(stored)), sealed: before.sealed });
    await expectRejected(stored);
    // With all of its rows it is the same as a backup, which the table itself cannot detect.
    await put(before, first);
    expect((await read(stored.id)).body.value).toBe('old');
  });
});

describe('a caller of another environment', () => {
  test('finds neither ids nor names nor versions, and cannot decrypt a data key', async () => {
    const stored = await store('a secret');
    const there = inside.target.keys.there;
    const name = String((await head(stored)).name);
    const path = `/vault/v1/kv/${stored.id}`;
    for (const [method, at, body] of [
      ['GET', path],
      ['GET', `${path}/metadata`],
      ['GET', `${path}/versions`],
      ['GET', `/vault/v1/kv/name/${encodeURIComponent(name)}`],
      ['PUT', path, { value: 'x' }],
      ['DELETE', path],
    ] as const) {
      expect((await inside.call(method, at, body, there)).status).toBe(404);
    }
    for (const context of [{}, { organization_id: 'org_1' }]) {
      const made = await inside.call<{ encrypted_keys: string }>('POST', '/vault/v1/keys/data-key', { context });
      const { encrypted_keys } = made.body;
      const other = { key_context: { organization_id: 'org_1' }, name: 'x', value: 'x' };
      await inside.call('POST', '/vault/v1/kv', other, there);
      expect((await inside.call('POST', '/vault/v1/keys/decrypt', { keys: encrypted_keys }, there)).status).toBe(400);
      const rekey = { encrypted_keys, context: {} };
      expect((await inside.call('POST', '/vault/v1/keys/rekey', rekey, there)).status).toBe(400);
    }
  });

  test('cannot read a value whose rows were copied into it', async () => {
    const stored = await store('a secret');
    const other = await store('another', { team: 'blue' }, inside.target.keys.there);
    const [row, own] = [await value(stored), await head(stored)];
    const moved = (from: Row): Row =>
      Object.fromEntries(
        Object.entries(from).map(([member, content]) => [
          member,
          typeof content === 'string' ? content.replace(stored.environment_id, other.environment_id) : content,
        ]),
      ) as Row;
    await put(moved(row), moved(own));
    await expectRejected({ ...stored, environment_id: other.environment_id }, inside.target.keys.there);
  });
});

test('no secret is in a table or a log line in plain text', async () => {
  const lines: string[] = [];
  process.env.GATEHOUSE_LOG_LEVEL = 'debug';
  forgetSettings();
  sendLinesTo((line) => void lines.push(JSON.stringify(line)));
  const canaries = ['canary-4711-created', 'canary-4711-updated'];
  for (const context of [{ team: 'blue' }, { organization_id: 'org_1' }]) {
    const { id } = await store(canaries[0] ?? '', context);
    await inside.call('PUT', `/vault/v1/kv/${id}`, { value: canaries[1] });
    await read(id);
  }
  const dataKey = await inside.call<{ data_key: string; encrypted_keys: string }>('POST', '/vault/v1/keys/data-key', {
    context: { team: 'blue' },
  });
  await inside.call('POST', '/vault/v1/keys/decrypt', { keys: dataKey.body.encrypted_keys });
  const { body: organization } = await inside.call<{ id: string }>('POST', '/organizations', { name: 'Acme' });
  const path = `/organizations/${organization.id}/api_keys`;
  const { body: apiKey } = await inside.call<{ value: string }>('POST', path, { name: 'CI' });
  await inside.call('POST', '/api_keys/validations', { value: apiKey.value });
  const bad = { name: 'x', value: 'canary-4711-refused', key_context: { 'aws:x': 'y' } };
  expect((await inside.call('POST', '/vault/v1/kv', bad)).status).toBe(400);
  process.env.GATEHOUSE_LOG_LEVEL = 'silent';
  forgetSettings();
  expect(lines.length).toBeGreaterThan(10);
  const rows = JSON.stringify(await allRows(), (_, at: unknown) => formatText(at));
  const everything = rows + lines.join('\n');
  const secrets = [...canaries, 'canary-4711', dataKey.body.data_key, apiKey.value, apiKey.value.slice(33)];
  for (const secret of secrets) expect(everything.includes(secret)).toBe(false);
  expect(everything.includes('object 1')).toBe(true);
});

/** The bytes as text and base64, the forms in which a plain secret would appear. */
const formatText = (value: unknown): unknown =>
  value instanceof Uint8Array
    ? `${Buffer.from(value).toString('latin1')} ${Buffer.from(value).toString('base64')}`
    : value;
