import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import type { Api } from '../../contract/samples/sample.ts';
import { openTarget, type Target } from '../../contract/target.ts';

let target: Target;
let here: Api;
let there: Api;
beforeAll(async () => {
  target = await openTarget();
  [here, there] = [target.apiWith(target.keys.here), target.apiWith(target.keys.there)];
});
afterAll(() => target.stop());

const unique = { email: 'ada@example.com', external_id: 'a-1' };
const makeId = async (api: Api, path: string, body: object): Promise<string> =>
  String((await api.create(path, body)).id);
const json = (body: object) => ({ body: JSON.stringify(body) });

describe('two environments in one table', () => {
  test('can have users with the same address and external_id, and each finds only its own', async () => {
    const own = await makeId(here, '/user_management/users', unique);
    const other = await makeId(there, '/user_management/users', unique);
    for (const [api, id] of [[here, own] as const, [there, other] as const]) {
      const listed = await api.send('GET', '/user_management/users?email=ADA@example.com');
      expect(listed.json).toMatchObject({ data: [{ id }] });
      expect((await api.send('GET', '/user_management/users/external_id/a-1')).json).toMatchObject({ id });
      expect((await api.send('GET', '/user_management/users')).json).toMatchObject({ data: [{ id }] });
    }
    await here.send('DELETE', `/user_management/users/${own}`);
    expect((await there.send('GET', `/user_management/users/${other}`)).status).toBe(200);
  });

  test('cannot use each other’s users or organizations in a membership', async () => {
    const path = '/user_management/organization_memberships';
    const [user, organization] = [
      await makeId(here, '/user_management/users', { email: 'b@example.com' }),
      await makeId(here, '/organizations', { name: 'Here' }),
    ];
    const foreign = await makeId(there, '/organizations', { name: 'There' });
    const stranger = await makeId(there, '/user_management/users', { email: 'b@example.com' });
    const pairs = [
      { user_id: user, organization_id: foreign },
      { user_id: stranger, organization_id: organization },
    ];
    for (const pair of pairs) {
      expect((await here.send('POST', path, json(pair))).status).toBe(404);
      expect((await here.send('GET', `${path}?${new URLSearchParams(pair).toString()}`)).status).toBe(404);
    }
    await here.create(path, { user_id: user, organization_id: organization });
    expect((await there.send('GET', `/user_management/users?organization_id=${organization}`)).json).toMatchObject({
      data: [],
    });
    const theirs = await there.send('GET', `/user_management/users?email=b@example.com&organization_id=${foreign}`);
    expect(theirs.json).toMatchObject({ data: [] });
  });

  test('have separate settings', async () => {
    await here.send('PUT', '/x/user-management/settings', json({ user_deletion: false }));
    const settings = await there.send('GET', '/x/user-management/settings');
    expect(settings.json).toMatchObject({ user_deletion: true });
  });
});

describe('credentials of another environment', () => {
  test('are rejected for the same address: codes, tokens and ids', async () => {
    const email = 'grace@example.com';
    for (const api of [here, there]) await api.create('/user_management/users', { email });
    const magic = await here.create('/user_management/magic_auth', { email });
    const reset = await here.create('/user_management/password_reset', { email });
    for (const path of [`magic_auth/${String(magic.id)}`, `password_reset/${String(reset.id)}`]) {
      expect((await there.send('GET', `/user_management/${path}`)).status).toBe(404);
    }
    const body = { token: reset.password_reset_token, new_password: 'tangled violins at dawn' };
    expect((await there.send('POST', '/user_management/password_reset/confirm', json(body))).status).toBe(404);
    expect((await here.send('POST', '/user_management/password_reset/confirm', json(body))).status).toBe(200);
  });

  test('are counted separately for limits', async () => {
    const other = 'bob@example.com';
    for (let one = 0; one < 3; one += 1) await here.create('/user_management/magic_auth', { email: other });
    expect((await here.send('POST', '/user_management/magic_auth', json({ email: other }))).status).toBe(429);
    expect((await there.send('POST', '/user_management/magic_auth', json({ email: other }))).status).toBe(201);
  });
});
