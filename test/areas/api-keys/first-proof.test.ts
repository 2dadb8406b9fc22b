import { beforeEach, describe, expect, test } from '@jest/globals';

import { addFault, advance, call, clearFaults, idle, reset, sdk, service } from '../../support/service.ts';
import { addMembership } from '../../support/users.ts';
import { readEvents, newOrganization, newUser } from '../user-management/users.ts';

const EMAIL = 'ada@example.com';

beforeEach(() => reset());

/** A user with a key, both created by the application. */
async function userWithKey(members: object = {}): Promise<{ id: string; keyId: string; value: string }> {
  const { id } = await newUser({ email: EMAIL, ...members });
  const organization_id = await newOrganization();
  await addMembership(id, organization_id, 'active');
  const key = { name: 'Laptop', organization_id };
  const { status, body } = await call('POST', `/user_management/users/${id}/api_keys`, key);
  expect(status).toBe(201);
  return { id, keyId: String(body.id), value: String(body.value) };
}

const validated = async (value: string): Promise<unknown> =>
  (await call('POST', '/api_keys/validations', { value })).body.api_key;

/** Signs the owner of the address in with a mailed code, which verifies it. */
async function prove(): Promise<void> {
  const { code } = await sdk().userManagement.createMagicAuth({ email: EMAIL });
  const { clientId } = await service();
  const { user } = await sdk().userManagement.authenticateWithMagicAuth({ clientId, code, email: EMAIL });
  expect(user.emailVerified).toBe(true);
}

const listed = async (id: string): Promise<unknown[]> =>
  (await call<{ data: unknown[] }>('GET', `/user_management/users/${id}/api_keys`)).body.data;

describe('an API key of a user with an unverified address', () => {
  test('is revoked when the address is first verified', async () => {
    const { id, keyId, value } = await userWithKey();
    expect(await validated(value)).toMatchObject({ id: keyId });
    await prove();
    await advance(6);
    expect(await validated(value)).toBeNull();
    await idle();
    expect(await listed(id)).toEqual([]);
    expect((await readEvents('api_key.revoked')).map(({ data }) => data.id)).toEqual([keyId]);
  });

  test('is invalid within five seconds of the verification, before its row is removed', async () => {
    const { keyId, value } = await userWithKey();
    expect(await validated(value)).toMatchObject({ id: keyId });
    const fault = await addFault({ target: 'bus', kind: 'unavailable' });
    await prove();
    await advance(6);
    expect(await validated(value)).toBeNull();
    await clearFaults(fault.id);
  });

  test('stays valid if the application itself marks the address as verified', async () => {
    const { id, keyId, value } = await userWithKey();
    await call('POST', `/user_management/users/${id}/email_verification/send`);
    await call('PUT', `/user_management/users/${id}`, { email_verified: true });
    await advance(6);
    await idle();
    expect(await validated(value)).toMatchObject({ id: keyId });
  });
});

test('an API key that is created after the first verification stays valid when the earlier keys are removed', async () => {
  const { id } = await userWithKey();
  await prove();
  const organization_id = await newOrganization('Later');
  await addMembership(id, organization_id, 'active');
  const { body } = await call('POST', `/user_management/users/${id}/api_keys`, { name: 'Own', organization_id });
  await advance(6);
  await idle();
  expect(await validated(String(body.value))).toMatchObject({ id: body.id });
});

test('an API key of an account with a verified address stays valid after a change of the address', async () => {
  const { id, keyId, value } = await userWithKey({ email: 'former@example.com', email_verified: true });
  expect((await call('PUT', `/user_management/users/${id}`, { email: EMAIL })).status).toBe(200);
  await prove();
  await advance(6);
  await idle();
  expect(await validated(value)).toMatchObject({ id: keyId });
});
