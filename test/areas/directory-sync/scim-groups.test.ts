import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, idle, reset } from '../../support/service.ts';
import { readRows } from '../../support/users.ts';
import { eventsNamed } from './directories.ts';
import { GROUP, type List, newProvider, newScimGroup, newScimUser, patch, type Provider } from './scim.ts';

let provider: Provider;
let ids: string[];

beforeEach(async () => {
  await reset();
  provider = await newProvider();
  ids = [];
  for (const name of ['ada', 'bob', 'eve']) ids.push((await newScimUser(provider, `${name}@acme.example`)).id);
});

const listMembersInApi = async (groupId: string): Promise<string[]> => {
  const { body } = await provider.send('GET', `/Groups/${groupId}`);
  return (body.members as { value: string }[]).map(({ value }) => value);
};

const listUsersInApi = async (groupId: string): Promise<string[]> => {
  const { body } = await call<{ data: { id: string }[] }>(
    'GET',
    `/directory_users?group=${groupId}&limit=100&order=asc`,
  );
  return body.data.map(({ id }) => id);
};

describe('the name of a group', () => {
  const create = (displayName: string, members: readonly string[] = []) =>
    provider.send('POST', '/Groups', {
      schemas: [GROUP],
      displayName,
      members: members.map((value) => ({ value })),
    });
  const countNamed = async (name: string): Promise<number> =>
    (await provider.send<List>('GET', `/Groups?filter=displayName eq "${name}"`)).body.totalResults;

  test('is unique in its directory, also for groups that are created or renamed at the same time', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, (_, at) => create(at % 2 ? 'Engineers' : 'ENGINEERS')));
    expect(made.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(9).fill(409)]);
    expect(made.find(({ status }) => status === 409)?.body).toMatchObject({ status: '409', scimType: 'uniqueness' });
    expect(await countNamed('Engineers')).toBe(1);
    const others = await Promise.all(['One', 'Two', 'Three'].map((name) => newScimGroup(provider, name)));
    const rename = (id: string, displayName: string) =>
      provider.send('PATCH', `/Groups/${id}`, patch({ op: 'replace', path: 'displayName', value: displayName }));
    const renamed = await Promise.all(others.map(({ id }) => rename(id, 'Same')));
    expect(renamed.map(({ status }) => status).toSorted()).toEqual([204, 409, 409]);
    expect(await countNamed('Same')).toBe(1);
    const put = { schemas: [GROUP], displayName: 'engineers' };
    expect((await provider.send('PUT', `/Groups/${others[0]?.id ?? ''}`, put)).status).toBe(409);
  });

  test('is free again after a rename or a deletion, and in other directories', async () => {
    const { id } = await newScimGroup(provider, 'Engineers');
    const change = (value: string) => patch({ op: 'replace', path: 'displayName', value });
    expect((await provider.send('PATCH', `/Groups/${id}`, change('ENGINEERS'))).status).toBe(204);
    expect((await provider.send('PATCH', `/Groups/${id}`, change('Builders'))).status).toBe(204);
    const second = await newScimGroup(provider, 'Engineers');
    expect((await provider.send('DELETE', `/Groups/${second.id}`)).status).toBe(204);
    await newScimGroup(provider, 'Engineers');
    await newScimGroup(await newProvider(), 'Engineers');
    await call('DELETE', `/directories/${provider.directory.id}`);
    await idle();
    expect((await readRows(provider.directory.id)).filter((kind) => kind === 'unique')).toEqual([]);
  });

  test('is unique for groups with many members as well, whose equal creation continues only until it is complete', async () => {
    const members = [...ids];
    for (let at = 0; at < 25; at += 1) members.push((await newScimUser(provider, `u${at}@acme.example`)).id);
    const made = await Promise.all([1, 2, 3].map(() => create('Everybody', members)));
    expect(made.map(({ status }) => status)).toContain(201);
    for (const { status, body } of made.filter(({ status: each }) => each !== 409)) {
      expect([status, body.id]).toEqual([201, made.find((each) => each.status === 201)?.body.id]);
    }
    expect(await countNamed('Everybody')).toBe(1);
    expect((await create('everybody', members)).status).toBe(409);
  });
});

describe('a group', () => {
  test('can be created with members, which both SCIM and the API show', async () => {
    const [ada = '', bob = ''] = ids;
    const { id } = await newScimGroup(provider, 'Engineers', [ada, bob, ada]);
    expect(await listMembersInApi(id)).toEqual([ada, bob]);
    expect(await listUsersInApi(id)).toEqual([ada, bob]);
    expect((await call('GET', `/directory_groups/${id}`)).body).toMatchObject({
      object: 'directory_group',
      id,
      name: 'Engineers',
      directory_id: provider.directory.id,
    });
    const { body: user } = await call<{ groups: { id: string }[] }>('GET', `/directory_users/${ada}`);
    expect(user.groups.map((group) => group.id)).toEqual([id]);
    const { body: scim } = await provider.send('GET', `/Users/${ada}`);
    expect(scim.groups).toEqual([expect.objectContaining({ value: id, display: 'Engineers' })]);
    await idle();
    const { body } = await call<{ data: { event: string }[] }>(
      'GET',
      '/events?events=dsync.group.created,dsync.group.user_added',
    );
    expect(body.data.map(({ event }) => event)).toEqual([
      'dsync.group.created',
      'dsync.group.user_added',
      'dsync.group.user_added',
    ]);
    expect(await eventsNamed('dsync.group.user_added')).toMatchObject([
      { directory_id: provider.directory.id, user: { id: ada }, group: { id, name: 'Engineers' } },
      { user: { id: bob } },
    ]);
  });

  test('gets members by each form of a PATCH, with an event for each change and none for a repetition', async () => {
    const [ada = '', bob = '', eve = ''] = ids;
    const { id } = await newScimGroup(provider, 'Engineers');
    const change = async (...operations: object[]): Promise<string[]> => {
      const response = await provider.send('PATCH', `/Groups/${id}`, patch(...operations));
      expect([response.status, response.body]).toEqual([204, undefined]);
      return listMembersInApi(id);
    };
    expect(await change({ op: 'Add', path: 'members', value: [{ value: ada }, { value: bob }] })).toEqual([ada, bob]);
    expect(await change({ op: 'add', path: 'members', value: [{ value: ada }] })).toEqual([ada, bob]);
    expect(await change({ op: 'add', value: { members: [{ value: eve }] } })).toEqual([ada, bob, eve]);
    expect(await change({ op: 'remove', path: `members[value eq "${bob}"]` })).toEqual([ada, eve]);
    expect(await change({ op: 'Remove', path: 'members', value: [{ value: eve }] })).toEqual([ada]);
    expect(await change({ op: 'replace', path: 'members', value: [{ value: bob }, { value: eve }] })).toEqual([
      bob,
      eve,
    ]);
    expect(
      await change(
        { op: 'remove', path: `members[value eq "${bob}"]` },
        { op: 'add', path: 'members', value: { value: bob } },
      ),
    ).toEqual([bob, eve]);
    expect(await change({ op: 'remove', path: 'members' })).toEqual([]);
    await idle();
    expect(await eventsNamed('dsync.group.user_added')).toHaveLength(5);
    expect(await eventsNamed('dsync.group.user_removed')).toHaveLength(5);
    expect(await eventsNamed('dsync.group.updated')).toEqual([]);
  });

  test('is renamed with previous_attributes by PATCH and PUT, which keep the members that they do not name', async () => {
    const [ada = ''] = ids;
    const { id } = await newScimGroup(provider, 'Engineers', [ada]);
    await provider.send('PATCH', `/Groups/${id}`, patch({ op: 'replace', value: { id, displayName: 'Builders' } }));
    await provider.send('PUT', `/Groups/${id}`, { schemas: [GROUP], displayName: 'Makers', externalId: 'g1' });
    expect(await listMembersInApi(id)).toEqual([ada]);
    const emptied = await provider.send('PUT', `/Groups/${id}`, {
      displayName: 'Makers',
      externalId: 'g1',
      members: [],
    });
    expect(emptied.body.members).toEqual([]);
    await idle();
    const { body } = await call<{ data: { context: object }[] }>('GET', '/events?events=dsync.group.updated');
    expect(body.data.map(({ context }) => context)).toMatchObject([
      { previous_attributes: { name: 'Engineers' } },
      { previous_attributes: { name: 'Builders', idp_id: id } },
    ]);
  });

  test('has a version that If-Match compares', async () => {
    const { id, meta } = await newScimGroup(provider, 'Engines');
    const rename = patch({ op: 'replace', path: 'displayName', value: 'Motors' });
    expect((await provider.send('PATCH', `/Groups/${id}`, rename, { 'if-match': meta.version })).status).toBe(204);
    for (const [method, body] of [
      ['PUT', { schemas: [GROUP], displayName: 'Engines' }],
      ['PATCH', rename],
      ['DELETE', undefined],
    ] as const) {
      const { status } = await provider.send(method, `/Groups/${id}`, body, { 'if-match': meta.version });
      expect([method, status]).toEqual([method, 412]);
    }
    expect((await provider.send('GET', `/Groups/${id}`)).body).toMatchObject({ displayName: 'Motors' });
  });

  test('is deleted with one event, and its users no longer list it', async () => {
    const [ada = ''] = ids;
    const { id } = await newScimGroup(provider, 'Engineers', ids);
    expect((await provider.send('DELETE', `/Groups/${id}`)).status).toBe(204);
    expect((await provider.send('GET', `/Groups/${id}`)).status).toBe(404);
    expect((await call('GET', `/directory_groups/${id}`)).status).toBe(404);
    expect((await provider.send('GET', `/Users/${ada}`)).body).not.toHaveProperty('groups');
    await idle();
    expect(await eventsNamed('dsync.group.deleted')).toHaveLength(1);
    expect(await eventsNamed('dsync.group.user_removed')).toEqual([]);
    const found = await provider.send<List>('GET', `/Groups?filter=members.value eq "${ada}"`);
    expect(found.body.totalResults).toBe(0);
  });

  test('rejects a member that is not a user of the directory, without a partial change', async () => {
    const other = await newProvider();
    const foreign = await newScimUser(other, 'mallory@other.example');
    const { id } = await newScimGroup(provider, 'Engineers');
    for (const value of [foreign.id, 'nobody', id]) {
      const response = await provider.send(
        'PATCH',
        `/Groups/${id}`,
        patch({ op: 'add', path: 'members', value: [{ value: ids[0] }, { value }] }),
      );
      expect([response.status, response.body]).toEqual([400, expect.objectContaining({ scimType: 'invalidValue' })]);
    }
    expect(await listMembersInApi(id)).toEqual([]);
    const members = [...Array.from({ length: 40 }, () => ids[0]), foreign.id].map((value) => ({ value }));
    const many = [...members, ...Array.from({ length: 40 }, (_, at) => ({ value: `nobody-${at}` }))];
    expect((await provider.send('POST', '/Groups', { displayName: 'Second', members: many })).status).toBe(400);
    expect((await provider.send<List>('GET', '/Groups')).body.totalResults).toBe(1);
  });
});

describe('a group with 100 members', () => {
  test('can be created, changed and read completely, by SCIM and by the API', async () => {
    const all = [...ids];
    for (let at = 0; at < 97; at += 1) all.push((await newScimUser(provider, `user-${at}@acme.example`)).id);
    const { id } = await newScimGroup(provider, 'Everyone', all);
    expect(await listMembersInApi(id)).toEqual(all);
    expect(await listUsersInApi(id)).toEqual(all);
    const replaced = await provider.send('PUT', `/Groups/${id}`, {
      displayName: 'Everyone',
      members: all.slice(60).map((value) => ({ value })),
    });
    expect(replaced.status).toBe(200);
    expect(await listMembersInApi(id)).toEqual(all.slice(60));
    await idle();
    expect(await listUsersInApi(id)).toEqual(all.slice(60));
    expect((await call('GET', `/directories/${provider.directory.id}`)).body).toMatchObject({
      metadata: { users: { active: 100 }, groups: 1 },
    });
    const [first = ''] = all;
    await provider.send('DELETE', `/Users/${first}`);
    await provider.send('DELETE', `/Groups/${id}`);
    await idle();
    expect(
      (await provider.send<List>('GET', '/Users?count=200')).body.Resources.every((user) => user.groups === undefined),
    ).toBe(true);
  }, 60_000);
});
