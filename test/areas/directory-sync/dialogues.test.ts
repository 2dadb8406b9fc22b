import { beforeEach, describe, expect, test } from '@jest/globals';

import { idle, reset } from '../../support/service.ts';
import { eventsNamed } from './directories.ts';
import { ENTERPRISE, GROUP, type List, newProvider, PATCH_OP, type Provider, type Resource, USER } from './scim.ts';

/** The requests of providers as in their documentation, with their own spellings. */
let provider: Provider;

const encoded = (filter: string): string => encodeURIComponent(filter);
const create = async (path: string, body: object): Promise<Resource> => {
  const response = await provider.send('POST', path, body);
  expect(response.status).toBe(201);
  return response.body;
};

describe('the requests that Okta sends', () => {
  beforeEach(async () => {
    await reset();
    provider = await newProvider({ type: 'okta scim v2.0' });
  });

  const isaac = {
    schemas: [USER],
    userName: 'isaac.brock@example.com',
    name: { givenName: 'Isaac', familyName: 'Brock' },
    emails: [{ primary: true, value: 'isaac.brock@example.com', type: 'work' }],
    displayName: 'Isaac Brock',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  };

  test('assign, rename, deactivate and reactivate users, and push groups', async () => {
    const none = await provider.send<List>(
      'GET',
      `/Users?filter=${encoded('userName eq "isaac.brock@example.com"')}&startIndex=1&count=100`,
    );
    expect(none.body).toMatchObject({ totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] });
    const { id, meta } = await create('/Users', isaac);
    expect((await provider.send('GET', `/Users/${id}`)).body).toMatchObject({ id, active: true, meta });
    const renamed = await provider.send('PUT', `/Users/${id}`, {
      ...isaac,
      id,
      name: { givenName: 'Isaac', middleName: null, familyName: 'Brocke' },
      meta: { resourceType: 'User' },
    });
    expect(renamed.body).toMatchObject({ name: { familyName: 'Brocke' }, active: true });
    const off = { schemas: [PATCH_OP], Operations: [{ op: 'replace', value: { active: false } }] };
    expect((await provider.send('PATCH', `/Users/${id}`, off)).body).toMatchObject({ active: false });
    const on = { schemas: [PATCH_OP], Operations: [{ op: 'replace', value: { active: true } }] };
    expect((await provider.send('PATCH', `/Users/${id}`, on)).body).toMatchObject({ active: true });
    const group = await create('/Groups', { schemas: [GROUP], displayName: 'Test SCIMv2', members: [] });
    const added = await provider.send('PATCH', `/Groups/${group.id}`, {
      schemas: [PATCH_OP],
      Operations: [{ op: 'add', path: 'members', value: [{ value: id, display: 'isaac.brock@example.com' }] }],
    });
    expect(added.status).toBe(204);
    const replaced = await provider.send('PATCH', `/Groups/${group.id}`, {
      schemas: [PATCH_OP],
      Operations: [{ op: 'replace', value: { id: group.id, displayName: 'Test SCIMv2 renamed' } }],
    });
    expect(replaced.status).toBe(204);
    const removed = await provider.send('PATCH', `/Groups/${group.id}`, {
      schemas: [PATCH_OP],
      Operations: [{ op: 'remove', path: `members[value eq "${id}"]` }],
    });
    expect(removed.status).toBe(204);
    expect((await provider.send('GET', `/Groups/${group.id}`)).body).toMatchObject({
      displayName: 'Test SCIMv2 renamed',
      members: [],
    });
    const put = await provider.send('PUT', `/Users/${id}`, { ...isaac, id, active: false });
    expect(put.body).toMatchObject({ active: false });
    expect((await provider.send('DELETE', `/Groups/${group.id}`)).status).toBe(204);
    await idle();
    const created = await eventsNamed('dsync.user.created');
    expect(created).toHaveLength(2);
    expect(await eventsNamed('dsync.user.deleted')).toHaveLength(2);
    expect(await eventsNamed('dsync.group.user_added', 'dsync.group.user_removed')).toHaveLength(2);
    expect(JSON.stringify(created)).not.toContain('1mz050nq');
  });
});

describe('the requests that Entra ID sends', () => {
  beforeEach(async () => {
    await reset();
    provider = await newProvider({ type: 'azure scim v2.0', inactive_users: 'keep' });
  });

  const user = {
    schemas: [USER, ENTERPRISE],
    externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
    userName: 'Test_User_ab6490ee-1e48-479e-a20b-2d77186b5dd1',
    active: true,
    emails: [{ primary: true, type: 'work', value: 'Test_User_fd0ea19b@testuser.com' }],
    meta: { resourceType: 'User' },
    name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
    roles: [],
  };
  const patchUser = async (id: string, ...Operations: object[]): Promise<Resource> => {
    const { status, body } = await provider.send('PATCH', `/Users/${id}`, { schemas: [PATCH_OP], Operations });
    expect(status).toBe(200);
    return body;
  };

  test('test the connection by searching a user who does not exist', async () => {
    const filter = encoded('userName eq "non-existent user"');
    const { status, body } = await provider.send<List>('GET', `/Users?filter=${filter}`);
    expect([status, body]).toEqual([200, expect.objectContaining({ totalResults: 0, Resources: [] })]);
  });

  test('change users with the PATCH operations that only Entra ID sends', async () => {
    const { id } = await create('/Users', user);
    const changed = await patchUser(
      id,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.com' },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+49 30 1' },
      { op: 'Add', path: 'addresses[type eq "work"].country', value: 'DE' },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Engines' },
      { op: 'Add', path: `${ENTERPRISE}:manager`, value: 'b7a2' },
    );
    expect(changed).toMatchObject({
      emails: [{ primary: true, type: 'work', value: 'updatedEmail@microsoft.com' }],
      name: { familyName: 'updatedFamilyName', givenName: 'givenName' },
      phoneNumbers: [{ type: 'mobile', value: '+49 30 1' }],
      addresses: [{ type: 'work', country: 'DE' }],
      [ENTERPRISE]: { department: 'Engines', manager: { value: 'b7a2' } },
    });
    const flat = await patchUser(id, {
      op: 'replace',
      value: { 'name.givenName': 'Ada', [`${ENTERPRISE}:department`]: 'Looms', displayName: 'Ada', active: 'True' },
    });
    expect(flat).toMatchObject({ name: { givenName: 'Ada' }, [ENTERPRISE]: { department: 'Looms' }, active: true });
    const cleared = await patchUser(
      id,
      { op: 'Remove', path: `${ENTERPRISE}:manager` },
      { op: 'Replace', path: `${ENTERPRISE}:department`, value: '' },
      { op: 'Replace', path: 'displayName', value: null },
      { op: 'Remove', path: 'phoneNumbers[type eq "mobile"].value' },
      { op: 'Remove', path: 'emails[type eq "home"].value' },
    );
    for (const name of [ENTERPRISE, 'displayName', 'phoneNumbers']) expect(cleared).not.toHaveProperty([name]);
    const byObject = await patchUser(id, {
      op: 'Add',
      path: `${ENTERPRISE}:manager`,
      value: { value: 'c1', displayName: 'Bo' },
    });
    expect(byObject).toMatchObject({ [ENTERPRISE]: { manager: { value: 'c1' } } });
    for (const value of ['False', false, [false], 'false']) {
      expect(await patchUser(id, { op: 'Replace', path: 'active', value })).toMatchObject({ active: false });
      expect(await patchUser(id, { op: 'replace', path: 'active', value: 'True' })).toMatchObject({ active: true });
    }
    await patchUser(id, { op: 'Replace', path: 'active', value: 'False' });
    expect((await provider.send('DELETE', `/Users/${id}`)).status).toBe(204);
  });

  test('create, rename, fill, read and remove groups', async () => {
    const { id } = await create('/Users', user);
    const group = await create('/Groups', {
      schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'displayName',
      meta: { resourceType: 'Group' },
    });
    const found = await provider.send<List>(
      'GET',
      `/Groups?excludedAttributes=members&filter=${encoded('displayName eq "displayName"')}`,
    );
    expect(found.body.Resources).toEqual([expect.not.objectContaining({ members: expect.anything() })]);
    const change = async (operation: object): Promise<number> =>
      (await provider.send('PATCH', `/Groups/${group.id}`, { schemas: [PATCH_OP], Operations: [operation] })).status;
    expect(await change({ op: 'Replace', path: 'displayName', value: '1879db59-3bdf' })).toBe(204);
    expect(await change({ op: 'Add', path: 'members', value: [{ $ref: null, value: id }] })).toBe(204);
    const filter = `id eq "${group.id}" and members.value eq "${id}"`;
    const isMember = await provider.send<List>('GET', `/Groups?excludedAttributes=members&filter=${encoded(filter)}`);
    expect(isMember.body.totalResults).toBe(1);
    expect(await change({ op: 'Remove', path: 'members', value: [{ $ref: null, value: id }] })).toBe(204);
    const isLeft = await provider.send<List>('GET', `/Groups?excludedAttributes=members&filter=${encoded(filter)}`);
    expect(isLeft.body.totalResults).toBe(0);
    expect((await provider.send('DELETE', `/Groups/${group.id}`)).status).toBe(204);
  });
});

describe('the requests that providers send for users and groups alike', () => {
  beforeEach(async () => {
    await reset();
    provider = await newProvider({ inactive_users: 'keep' });
  });

  const made = {
    Users: { schemas: [USER], userName: 'ada@example.com', displayName: 'Before', externalId: 'e1' },
    Groups: { schemas: [GROUP], displayName: 'Before', externalId: 'e1' },
  } as const;
  const urns = { Users: USER, Groups: GROUP } as const;
  const renames: [string, (path: 'Users' | 'Groups', id: string) => object][] = [
    ['an object without a path (Okta)', () => ({ op: 'replace', value: { displayName: 'After' } })],
    ['an object with the id (Okta)', (_path, id) => ({ op: 'replace', value: { id, displayName: 'After' } })],
    ['a path (Entra ID)', () => ({ op: 'Replace', path: 'displayName', value: 'After' })],
    ['an addition (Entra ID)', () => ({ op: 'Add', path: 'displayName', value: 'After' })],
    ['a URN as the path', (path) => ({ op: 'REPLACE', path: `${urns[path]}:displayName`, value: 'After' })],
    ['a URN as the key', (path) => ({ op: 'replace', value: { [`${urns[path]}:displayName`]: 'After' } })],
    ['a name in another case', () => ({ op: 'replace', path: 'DisplayName', value: 'After' })],
  ];

  test.each(renames)('rename them by %s', async (_form, rename) => {
    for (const path of ['Users', 'Groups'] as const) {
      const { id } = await create(`/${path}`, made[path]);
      const body = { schemas: [PATCH_OP], Operations: [rename(path, id)] };
      const changed = await provider.send('PATCH', `/${path}/${id}?attributes=displayName`, body);
      expect([path, changed.status, changed.body.displayName]).toEqual([path, 200, 'After']);
      const again = await provider.send('PATCH', `/${path}/${id}?attributes=displayName`, body);
      expect(again.headers.etag).toBe(changed.headers.etag);
    }
  });

  test('test the connection, search for unknown users and groups, import and delete them', async () => {
    for (const path of ['/ServiceProviderConfig', '/Schemas', '/ResourceTypes', `/Schemas/${USER}`]) {
      expect([path, (await provider.send('GET', path)).status]).toEqual([path, 200]);
    }
    for (const path of ['Users', 'Groups'] as const) {
      const unknown = encoded(path === 'Users' ? 'userName eq "none"' : 'displayName eq "none"');
      for (const query of [`filter=${unknown}`, `filter=${encoded('externalId eq "none"')}`, 'startIndex=1&count=1']) {
        const { status, body } = await provider.send<List>('GET', `/${path}?${query}`);
        expect([path, query, status, body.totalResults]).toEqual([path, query, 200, 0]);
      }
      const { id } = await create(`/${path}`, made[path]);
      await idle();
      const found = await provider.send<List>('GET', `/${path}?filter=${encoded('externalId eq "e1"')}`);
      const page = await provider.send<List>('GET', `/${path}?startIndex=1&count=100`);
      expect([found.body.Resources[0]?.id, page.body.Resources[0]?.id]).toEqual([id, id]);
      expect((await provider.send('DELETE', `/${path}/${id}`)).status).toBe(204);
      expect((await provider.send('GET', `/${path}/${id}`)).status).toBe(404);
      expect((await provider.send('DELETE', `/${path}/${id}`)).status).toBe(404);
    }
  });

  test.each<[string, (id: string) => [string, string, object | undefined]]>([
    [
      'PATCH with a path',
      (id) => ['PATCH', `/Users/${id}`, { Operations: [{ op: 'Replace', path: 'active', value: 'False' }] }],
    ],
    [
      'PATCH with an object',
      (id) => ['PATCH', `/Users/${id}`, { Operations: [{ op: 'replace', value: { active: false } }] }],
    ],
    [
      'PATCH with a list',
      (id) => ['PATCH', `/Users/${id}`, { Operations: [{ op: 'add', path: 'active', value: [false] }] }],
    ],
    ['PUT', (id) => ['PUT', `/Users/${id}`, { ...made.Users, active: false }]],
  ])('deactivate a user by %s, and reactivate', async (_form, request) => {
    const { id } = await create('/Users', made.Users);
    const [method, path, body] = request(id);
    expect((await provider.send(method, path, body)).body).toMatchObject({ id, active: false });
    const on = { Operations: [{ op: 'Replace', path: 'active', value: 'True' }] };
    expect((await provider.send('PATCH', `/Users/${id}`, on)).body).toMatchObject({ id, active: true });
    await idle();
    const states = (await eventsNamed('dsync.user.updated')).map(({ state }) => state);
    expect(states).toEqual(['inactive', 'active']);
  });
});
