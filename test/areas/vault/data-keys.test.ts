import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, idle, reset, sdk } from '../../support/service.ts';
import { otherEnvironment } from '../authentication/inside.ts';

interface DataKey {
  id: string;
  data_key: string;
  encrypted_keys: string;
  context: Record<string, string>;
}

const CONTEXT = { team: 'blue', tier: '1' };

const dataKey = async (context: Record<string, string> = CONTEXT): Promise<DataKey> => {
  const { status, body } = await call<DataKey>('POST', '/vault/v1/keys/data-key', { context });
  expect(status).toBe(200);
  return body;
};
const decrypt = (keys: string) => call<DataKey>('POST', '/vault/v1/keys/decrypt', { keys });
const rekey = (encrypted_keys: string, context: Record<string, string>) =>
  call<DataKey>('POST', '/vault/v1/keys/rekey', { encrypted_keys, context });

beforeEach(() => reset());

describe('a vault data key', () => {
  test('has 32 random bytes, and is decrypted only from its blob', async () => {
    const [one, two] = [await dataKey(), await dataKey()];
    expect(Buffer.from(one.data_key, 'base64')).toHaveLength(32);
    expect(one.data_key).not.toBe(two.data_key);
    expect((await decrypt(one.encrypted_keys)).body).toEqual({ data_key: one.data_key, id: one.id });
    expect(Buffer.from(one.encrypted_keys, 'base64').includes(Buffer.from(one.data_key, 'base64'))).toBe(false);
  });

  test.each([CONTEXT, { organization_id: 'org_none' }])(
    'is rejected when any byte of it is changed: %p',
    async (context) => {
      const { encrypted_keys } = await dataKey(context);
      const bytes = Buffer.from(encrypted_keys, 'base64');
      for (let at = 0; at < bytes.length; at += 1) {
        const altered = Buffer.from(bytes);
        altered[at] = (altered[at] ?? 0) ^ 1;
        expect({ at, status: (await decrypt(altered.toString('base64'))).status }).toEqual({ at, status: 400 });
      }
    },
  );

  test('is rejected if truncated, extended, encoded differently, or of another format', async () => {
    const { encrypted_keys } = await dataKey();
    const bytes = Buffer.from(encrypted_keys, 'base64');
    for (const length of [0, 1, 18, 19, 30, bytes.length - 1]) {
      const text = bytes.subarray(0, length).toString('base64');
      expect((await decrypt(text)).status).toBe(400);
      expect((await rekey(text, CONTEXT)).status).toBe(400);
    }
    const longer = Buffer.concat([bytes, Buffer.alloc(1)]).toString('base64');
    for (const text of [longer, ` ${encrypted_keys}`, `${encrypted_keys}\n`, 'not base64!', '🔑']) {
      expect((await decrypt(text)).status).toBe(400);
    }
  });

  test('is rejected with another context', async () => {
    const { encrypted_keys } = await dataKey({ team: 'blue' });
    const other = Buffer.from(encrypted_keys, 'base64').toString('latin1').replace('blue', 'gray');
    expect((await decrypt(Buffer.from(other, 'latin1').toString('base64'))).status).toBe(400);
  });

  test('can be moved to another context; the earlier blob stays valid', async () => {
    const made = await dataKey({ organization_id: 'org_a' });
    const moved = (await rekey(made.encrypted_keys, { organization_id: 'org_b', tier: '2' })).body;
    expect(moved).toMatchObject({
      id: made.id,
      data_key: made.data_key,
      context: { organization_id: 'org_b', tier: '2' },
    });
    expect(moved.encrypted_keys).not.toBe(made.encrypted_keys);
    expect((await decrypt(moved.encrypted_keys)).body).toEqual({ data_key: made.data_key, id: made.id });
    const back = (await rekey(moved.encrypted_keys, {})).body;
    expect((await decrypt(back.encrypted_keys)).body.data_key).toBe(made.data_key);
  });

  test('emits events that contain no key', async () => {
    const { id, data_key, encrypted_keys } = await dataKey({ tier: '3' });
    await decrypt(encrypted_keys);
    await rekey(encrypted_keys, { tier: '4' });
    await idle();
    const { body } = await call<{ data: { event: string; data: Record<string, unknown> }[] }>(
      'GET',
      '/events?events=vault.dek.read,vault.dek.decrypted,vault.kek.created&order=asc&limit=100',
    );
    const dekEvents = body.data.filter(({ event }) => event.startsWith('vault.dek.'));
    expect(dekEvents.map(({ event }) => event).sort()).toEqual([
      'vault.dek.decrypted',
      'vault.dek.decrypted',
      'vault.dek.read',
      'vault.dek.read',
    ]);
    expect(dekEvents[0]?.data).toMatchObject({ key_ids: [id], key_context: { tier: '3' } });
    expect(JSON.stringify(body)).not.toContain(data_key);
    expect(body.data.filter(({ event }) => event === 'vault.kek.created')).toHaveLength(2);
  });
});

describe('the official SDK', () => {
  test('encrypts and decrypts locally, with and without associated data', async () => {
    const { vault } = sdk();
    const sealed = await vault.encrypt('my text ✓', { team: 'blue' }, 'row 7');
    expect(await vault.decrypt(sealed, 'row 7')).toBe('my text ✓');
    await expect(vault.decrypt(sealed, 'row 8')).rejects.toThrow();
    expect(await vault.decrypt(await vault.encrypt('', {}))).toBe('');
  });

  test('decrypts after a rekey', async () => {
    const { vault } = sdk();
    const pair = await vault.createDataKey({ context: { organization_id: 'org_a' } });
    const moved = await vault.createRekey({ encryptedKeys: pair.encryptedKeys, context: { organization_id: 'org_b' } });
    expect(await vault.decryptDataKey({ keys: moved.encryptedKeys ?? '' })).toEqual(pair.dataKey);
  });
});

test('an unknown KMS key cannot be mapped as a customer’s', async () => {
  const response = await call('PUT', '/x/vault/customer_keys', {
    context_entry: { name: 'tenant', value: 'acme' },
    key_arn: 'arn:aws:kms:us-east-1:111122223333:key/01234567-89ab-cdef-0123-456789abcdef',
  });
  expect(response).toMatchObject({ status: 400, body: { error: expect.stringContaining('cannot be used') } });
});

test('a data key of another environment is rejected without the error for a deleted organization', async () => {
  const made = await dataKey({ organization_id: 'org_elsewhere' });
  const there = (await otherEnvironment()).apiKey;
  const response = await call('POST', '/vault/v1/keys/decrypt', { keys: made.encrypted_keys }, { apiKey: there });
  expect([response.status, JSON.stringify(response.body)]).toEqual([
    400,
    expect.stringContaining('cannot be decrypted'),
  ]);
  expect(JSON.stringify(response.body)).not.toContain('deleted');
});
