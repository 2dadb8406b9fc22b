import { beforeEach, describe, expect, test } from '@jest/globals';

import { OPERATORS_ENVIRONMENT_ID } from '../../../functions/kernel/authentication/environment-id.ts';
import { askAs, openConsole, operatorGrant } from '../../support/console.ts';
import { advance, call, reset } from '../../support/service.ts';
import { environment } from '../authentication/inside.ts';

const PATH = '/x/platform/stage/environments';

interface Environment {
  id: string;
  name: string;
  contact_email: string | null;
  issuer: string | null;
  color: string | null;
  is_production: boolean;
  code?: string;
}

let owner: string;
beforeEach(async () => {
  await reset({ calm: true });
  owner = await operatorGrant(['operators']);
});

const create = async (body: object): Promise<Environment> => {
  const { status, body: made } = await askAs<Environment>(owner, 'POST', PATH, body);
  expect(status).toBe(201);
  return made;
};

describe('environments of the stage', () => {
  test('are made and changed by no API key, and by no operator without the permission for operators', async () => {
    const { id } = await create({ name: 'Team A' });
    const admin = await operatorGrant(['config.read', 'config.change', 'people.change', 'secrets.write', 'destroy']);
    for (const [method, path, body] of [
      ['GET', PATH, undefined],
      ['POST', PATH, { name: 'Mallory' }],
      ['GET', `${PATH}/${id}`, undefined],
      ['PUT', `${PATH}/${id}`, { is_production: false }],
    ] as const) {
      const asKey = await call(method, path, body);
      expect([method, asKey.status, asKey.body.code]).toEqual([method, 403, 'operator_required']);
      const asAdmin = await askAs(admin, method, path, body);
      expect([method, asAdmin.status, asAdmin.body.permission]).toEqual([method, 403, 'operators']);
    }
    expect((await askAs<Environment>(owner, 'GET', `${PATH}/${id}`)).body.name).toBe('Team A');
  });

  test('are listed in pages, without that of the operators', async () => {
    await openConsole();
    for (const name of ['One', 'Two', 'Three']) await create({ name });
    const list = async (query: string) =>
      (await askAs<{ data: Environment[]; list_metadata: { after: string } }>(owner, 'GET', `${PATH}?${query}`)).body;
    const first = await list('limit=2');
    expect(first.data.map(({ name }) => name)).toEqual(['Three', 'Two']);
    const rest = await list(`limit=100&after=${first.list_metadata.after}`);
    const ids = [...first.data, ...rest.data].map(({ id }) => id);
    expect(ids).toContain(await environment());
    expect(ids).not.toContain(OPERATORS_ENVIRONMENT_ID);
  });

  test('are managed from the environment of the operators too', async () => {
    await openConsole();
    const atHome = await operatorGrant(['operators'], { environmentId: OPERATORS_ENVIRONMENT_ID });
    const { status, body } = await askAs<Environment>(atHome, 'POST', PATH, { name: 'Team B', is_production: true });
    expect([status, body]).toMatchObject([201, { name: 'Team B', is_production: true }]);
  });

  test('need a reason to be changed, and keep what a change does not name', async () => {
    const contact_email = 'ops@acme.example';
    const { id } = await create({ name: 'Team A', contact_email, color: 'B00020' });
    const change = { is_production: true, issuer: 'https://id.acme.example' };
    const silent = await askAs(owner, 'PUT', `${PATH}/${id}`, change, { 'gatehouse-reason': '' });
    expect([silent.status, silent.body.code]).toEqual([400, 'operator_reason_required']);
    const { body } = await askAs<Environment>(owner, 'PUT', `${PATH}/${id}`, change);
    expect(body).toMatchObject({ ...change, name: 'Team A', contact_email, color: '#b00020' });
    const cleared = await askAs<Environment>(owner, 'PUT', `${PATH}/${id}`, { color: null, contact_email: null });
    expect(cleared.body).toMatchObject({ color: null, contact_email: null, is_production: true });
  });

  test('marked as production ask a reason for acts on their configuration', async () => {
    const editor = await operatorGrant(['config.change']);
    const body = { uri: 'https://app.acme.example/callback' };
    const ask = async () =>
      (await askAs(editor, 'POST', '/user_management/redirect_uris', body, { 'gatehouse-reason': '' })).status;
    await askAs(owner, 'PUT', `${PATH}/${await environment()}`, { is_production: true });
    await advance(6);
    expect(await ask()).toBe(400);
    await askAs(owner, 'PUT', `${PATH}/${await environment()}`, { is_production: false });
    await advance(6);
    expect(await ask()).toBe(201);
  });

  test('have no invalid issuer, colour or address, and each error names its member', async () => {
    const { id } = await create({ name: 'Team A' });
    for (const [member, value] of [
      ['issuer', 'http://id.acme.example'],
      ['issuer', 'https://id.acme.example?x=1'],
      ['color', 'red'],
      ['contact_email', 'nobody'],
      ['name', ''],
    ] as const) {
      const { status, body } = await askAs(owner, 'PUT', `${PATH}/${id}`, { [member]: value });
      expect([member, status, JSON.stringify(body).includes(member)]).toEqual([member, 422, true]);
    }
  });

  test('that do not exist, are deleted or are that of the operators are the same 404', async () => {
    await openConsole();
    for (const id of ['environment_01K0G00000000000000000000Z', OPERATORS_ENVIRONMENT_ID, 'x'])
      for (const method of ['GET', 'PUT']) {
        const { status } = await askAs(owner, method, `${PATH}/${id}`, method === 'PUT' ? { name: 'Mine' } : undefined);
        expect([id, method, status]).toEqual([id, method, 404]);
      }
  });
});

test('an API key reads its own environment', async () => {
  const { status, body } = await call<Environment>('GET', '/x/environment/details');
  expect([status, body]).toMatchObject([200, { object: 'environment', id: await environment(), is_production: false }]);
});
