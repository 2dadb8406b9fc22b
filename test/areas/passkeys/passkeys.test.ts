import { beforeEach, describe, expect, test } from '@jest/globals';

import { makeUser } from '../pages/application.ts';
import { authenticator, base64url } from '../../support/authenticator.ts';
import { call, eventually, messages, reset, service } from '../../support/service.ts';

beforeEach(() => reset());

interface Passkey {
  id: string;
  user_id: string;
  name: string;
  credential_id: string;
  usable: boolean;
}

interface List {
  data: Passkey[];
  list_metadata: { after: string | null };
}

async function given(userId: string, more: Record<string, unknown> = {}) {
  const { url } = await service();
  const { credentialId, publicKey } = authenticator(url);
  const body = {
    user_id: userId,
    credential_id: credentialId,
    public_key: publicKey,
    user_handle: base64url('a handle of another service'),
    ...more,
  };
  return { body, response: await call<Passkey & { code: string }>('POST', '/x/passkeys', body) };
}

const list = async (userId: string, more = '') => call<List>('GET', `/x/passkeys?user_id=${userId}${more}`);

describe('importing a passkey', () => {
  test('keeps its name, times and counter, and sends no mail', async () => {
    const userId = await makeUser('ada@example.com');
    const times = { created_at: '2024-05-01T10:00:00.000Z', last_used_at: '2025-01-02T03:04:05.000Z' };
    const { body, response } = await given(userId, { name: 'Laptop', sign_count: 7, rp_id: 'localhost', ...times });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({
      object: 'passkey',
      user_id: userId,
      name: 'Laptop',
      sign_count: 7,
      credential_id: body.credential_id,
      counter_went_back_at: null,
      ...times,
    });
    expect((await list(userId)).body.data).toEqual([response.body]);
    expect(await messages('ada@example.com')).toEqual([]);
  });

  test('of another domain is listed as not usable', async () => {
    const { response } = await given(await makeUser('ada@example.com'), { rp_id: 'login.example.com' });
    expect([response.body.usable, response.status]).toEqual([false, 201]);
  });

  test('rejects an unknown user, a credential that exists in the environment, and a twenty-first passkey', async () => {
    const userId = await makeUser('ada@example.com');
    const other = await makeUser('bob@example.com');
    expect((await given('user_unknown')).response.status).toBe(404);
    const { body } = await given(userId);
    const twice = await call<{ code: string }>('POST', '/x/passkeys', { ...body, user_id: other });
    expect([twice.status, twice.body.code]).toEqual([409, 'passkey_already_exists']);
    for (let count = 1; count < 20; count += 1) expect((await given(userId)).response.status).toBe(201);
    const { response } = await given(userId);
    expect([response.status, response.body.code]).toEqual([422, 'too_many_passkeys']);
  });

  test.each([
    ['is no CBOR', 'AAAA'],
    ['is CBOR of another kind', base64url(new Uint8Array([0x83, 1, 2, 3]))],
    ['is a key for another algorithm', base64url(new Uint8Array([0xa2, 0x01, 0x02, 0x03, 0x38, 0x22]))],
    ['is a map that ends too early', base64url(new Uint8Array([0xa5, 0x01, 0x02]))],
  ])('rejects a public key that %s', async (_, publicKey) => {
    const { response } = await given(await makeUser('ada@example.com'), { public_key: publicKey });
    expect(response.status).toBe(422);
    expect(JSON.stringify(response.body)).toContain('public_key');
  });
});

describe('the passkeys of a user', () => {
  test('are listed in pages, renamed and deleted, and a deleted credential can be imported again', async () => {
    const userId = await makeUser('ada@example.com');
    const first = await given(userId, { name: 'First' });
    const second = await given(userId, { name: 'Second' });
    const page = await list(userId, '&limit=1&order=asc');
    expect(page.body.data.map(({ name }) => name)).toEqual(['First']);
    const next = await list(userId, `&limit=1&order=asc&after=${page.body.list_metadata.after ?? ''}`);
    expect(next.body.data.map(({ name }) => name)).toEqual(['Second']);

    const path = `/x/passkeys/${first.response.body.id}`;
    expect((await call<Passkey>('PUT', path, { name: 'Phone' })).body.name).toBe('Phone');
    expect((await call<Passkey>('GET', path)).body.name).toBe('Phone');
    expect((await call('PUT', path, { name: '' })).status).toBe(422);
    expect((await call('DELETE', path)).status).toBe(204);
    for (const method of ['GET', 'DELETE']) expect((await call(method, path)).status).toBe(404);
    expect((await call('PUT', path, { name: 'x' })).status).toBe(404);
    expect((await list(userId)).body.data).toEqual([second.response.body]);
    expect((await call('POST', '/x/passkeys', first.body)).status).toBe(201);
  });

  test('are erased with the user, and then another user can have the credential', async () => {
    // The index of the erasure may lag in a restless table, and a sweep follows later.
    await reset({ calm: true });
    const userId = await makeUser('ada@example.com');
    const { body, response } = await given(userId);
    await call('DELETE', `/user_management/users/${userId}`);
    expect((await list(userId)).status).toBe(404);
    await eventually(
      () => call('GET', `/x/passkeys/${response.body.id}`),
      ({ status }) => status === 404,
    );
    const other = await makeUser('bob@example.com');
    await eventually(
      () => call('POST', '/x/passkeys', { ...body, user_id: other }),
      ({ status }) => status === 201,
    );
  });
});
