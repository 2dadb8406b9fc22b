import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, idle, reset } from '../../support/service.ts';
import { ENTERPRISE, type List, newProvider, newScimGroup, newScimUser, type Provider } from './scim.ts';

let provider: Provider;

beforeEach(async () => {
  await reset();
  provider = await newProvider();
});

const find = async (filter: string, kind = 'Users'): Promise<string[]> => {
  const { status, body } = await provider.send<List>('GET', `/${kind}?filter=${encodeURIComponent(filter)}`);
  expect([filter, status]).toEqual([filter, 200]);
  return body.Resources.map((each) => String(each.userName ?? each.displayName));
};

describe('a filter', () => {
  beforeEach(async () => {
    const ada = await newScimUser(provider, 'Ada@acme.example', {
      externalId: 'E1',
      displayName: 'Ada L',
      emails: [
        { value: 'ada@acme.example', type: 'work', primary: true },
        { value: 'ada@home.example', type: 'home' },
      ],
      [ENTERPRISE]: { department: 'Engines' },
    });
    const bob = await newScimUser(provider, 'bob@acme.example', { externalId: 'E2', active: false });
    await newScimGroup(provider, 'Engineers', [ada.id, bob.id]);
    await newScimGroup(provider, 'Staff', [bob.id]);
    await idle();
  });

  test.each<[string, string[]]>([
    ['userName eq "ADA@ACME.EXAMPLE"', ['Ada@acme.example']],
    ['USERNAME Eq "bob@acme.example"', ['bob@acme.example']],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "bob@acme.example"', ['bob@acme.example']],
    ['externalId eq "E2"', ['bob@acme.example']],
    ['externalId eq "e2"', []],
    ['emails.value eq "ada@home.example"', ['Ada@acme.example']],
    ['emails eq "ada@home.example"', ['Ada@acme.example']],
    ['emails[type eq "work" and value eq "ada@acme.example"]', ['Ada@acme.example']],
    ['emails[type eq "work"].value eq "ada@acme.example"', ['Ada@acme.example']],
    ['emails[type eq "home" and value eq "ada@acme.example"]', []],
    ['displayName eq "ada l"', ['Ada@acme.example']],
    ['userName eq "ada@acme.example" and active eq false', []],
    ['userName sw "a"', ['Ada@acme.example']],
    ['userName co "@acme" and not (active eq true)', ['bob@acme.example']],
    ['active eq true or externalId eq "E2"', ['Ada@acme.example', 'bob@acme.example']],
    ['emails pr', ['Ada@acme.example']],
    [`${ENTERPRISE}:department eq "Engines"`, ['Ada@acme.example']],
    ['meta.lastModified gt "2000-01-01T00:00:00Z"', ['Ada@acme.example', 'bob@acme.example']],
    ['userName eq "nobody@acme.example"', []],
    ['id eq "directory_user_01ARZ3NDEKTSV4RRFFQ69G5FAV"', []],
  ])('%s', async (filter, names) => {
    expect(await find(filter)).toEqual(names);
  });

  test('finds groups by name and by a member', async () => {
    const { body } = await provider.send<List>('GET', '/Users?filter=userName eq "bob@acme.example"');
    const bob = body.Resources[0]?.id ?? '';
    expect(await find('displayName eq "engineers"', 'Groups')).toEqual(['Engineers']);
    expect(await find(`members.value eq "${bob}"`, 'Groups')).toEqual(['Engineers', 'Staff']);
    expect(await find(`members[value eq "${bob}"] and displayName eq "Staff"`, 'Groups')).toEqual(['Staff']);
    const group =
      (await provider.send<List>('GET', '/Groups?filter=displayName eq "Staff"')).body.Resources[0]?.id ?? '';
    expect(await find(`id eq "${group}" and members.value eq "${bob}"`, 'Groups')).toEqual(['Staff']);
    expect(await find(`id eq "${group}" and members.value eq "nobody"`, 'Groups')).toEqual([]);
  });

  test('can be sent by POST, for one resource type or for all', async () => {
    const users = await provider.send<List>('POST', '/Users/.search', {
      filter: 'userName sw "bob"',
      attributes: ['userName'],
    });
    expect(users.body.Resources).toEqual([
      { schemas: expect.anything(), id: expect.anything(), userName: 'bob@acme.example' },
    ]);
    const both = await provider.send<List>('POST', '/.search', {
      startIndex: 2,
      count: 2,
      excludedAttributes: ['members', 'groups'],
    });
    expect([both.body.totalResults, both.body.Resources.map((each) => each.userName ?? each.displayName)]).toEqual([
      4,
      ['bob@acme.example', 'Engineers'],
    ]);
  });

  test.each([
    'userName eq',
    'userName eq ada',
    'eq "a"',
    'userName eq "a" and',
    '(((',
    `userName eq "${'a'.repeat(1_100)}"`,
    Array.from({ length: 21 }, (_, at) => `title eq "${at}"`).join(' or '),
    `${'('.repeat(400)}id pr${')'.repeat(401)}`,
    `"${'\n'.repeat(60)}`,
    'userName eq "a\u0000"',
    "userName eq 'a' OR '1'='1'",
  ])('that is invalid or too large is rejected at once with invalidFilter: %j', async (filter) => {
    const startedAt = performance.now();
    const { status, body } = await provider.send('POST', '/Users/.search', { filter });
    expect([status, body]).toEqual([400, expect.objectContaining({ scimType: 'invalidFilter' })]);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  test('rejects conditions on members other than equality', async () => {
    for (const filter of ['members.value sw "a"', 'not (members.value eq "a")', 'members pr']) {
      const { status, body } = await provider.send('GET', `/Groups?filter=${encodeURIComponent(filter)}`);
      expect([status, body]).toEqual([400, expect.objectContaining({ scimType: 'invalidFilter' })]);
    }
  });
});

describe('a page', () => {
  const names = Array.from({ length: 7 }, (_, at) => `user-${at}@acme.example`);
  beforeEach(async () => {
    for (const name of names) await newScimUser(provider, name);
    await idle();
  });
  const page = async (query: string): Promise<List> => (await provider.send<List>('GET', `/Users?${query}`)).body;
  const readNames = ({ Resources }: List): unknown[] => Resources.map(({ userName }) => userName);

  test('by startIndex contains the resources from that position, whatever the order of requests', async () => {
    const first = await page('startIndex=1&count=3');
    expect(first).toMatchObject({ totalResults: 7, itemsPerPage: 3, startIndex: 1 });
    expect(readNames(first)).toEqual(names.slice(0, 3));
    expect(readNames(await page('startIndex=4&count=3'))).toEqual(names.slice(3, 6));
    expect(readNames(await page('startIndex=7&count=3'))).toEqual(names.slice(6));
    expect(readNames(await page('startIndex=6&count=1'))).toEqual(names.slice(5, 6));
    expect(await page('startIndex=8')).toMatchObject({ totalResults: 7, itemsPerPage: 0, Resources: [] });
    expect(await page('count=0')).toMatchObject({ totalResults: 7, Resources: [] });
    expect(readNames(await page('startIndex=-5&count=-1'))).toEqual([]);
    expect(readNames(await page('startIndex=x&count=y'))).toEqual(names);
  });

  test('by cursor continues after the last resource, until the end', async () => {
    const seen: unknown[] = [];
    let cursor: string | undefined = '';
    while (cursor !== undefined) {
      const next: List = await page(`cursor=${cursor}&count=3`);
      expect(next.totalResults).toBe(7);
      seen.push(...readNames(next));
      cursor = next.nextCursor;
    }
    expect(seen).toEqual(names);
  });

  test('with a cursor of another list is rejected with invalidCursor', async () => {
    const [users, groups] = ['user', 'group'].map((kind) =>
      Buffer.from(`directory_${kind}_01ARZ3NDEKTSV4RRFFQ69G5FAV`).toString('base64url'),
    );
    for (const cursor of ['x', groups]) {
      for (const { status, body } of [
        await provider.send('GET', `/Users?cursor=${cursor}`),
        await provider.send('POST', '/Users/.search', { cursor }),
        await provider.send('POST', '/Groups/.search', { cursor: users }),
      ]) {
        expect([status, body]).toEqual([400, expect.objectContaining({ scimType: 'invalidCursor' })]);
      }
    }
  });
});

test('attributes and excludedAttributes select the members of a response, which always has id and schemas', async () => {
  const { id } = await newScimUser(provider, 'ada', {
    name: { givenName: 'Ada', familyName: 'L' },
    emails: [{ value: 'a@b.example', type: 'work' }],
    [ENTERPRISE]: { department: 'Engines', division: 'One' },
  });
  const get = async (query: string): Promise<object> => {
    const { schemas: _, ...rest } = (await provider.send('GET', `/Users/${id}?${query}`)).body;
    return rest;
  };
  expect(await get('attributes=username,name.givenName')).toEqual({ id, userName: 'ada', name: { givenName: 'Ada' } });
  expect(await get('attributes=emails.value')).toEqual({ id, emails: [{ value: 'a@b.example' }] });
  expect(await get(`attributes=${ENTERPRISE}:department`)).toEqual({ id, [ENTERPRISE]: { department: 'Engines' } });
  expect(await get(`excludedAttributes=meta,emails,name.familyName,active,${ENTERPRISE},id`)).toEqual({
    id,
    userName: 'ada',
    name: { givenName: 'Ada' },
  });
});

test('the SCIM service describes its resource types, schemas and features', async () => {
  const config = await provider.send('GET', '/ServiceProviderConfig');
  expect(config.body).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    etag: { supported: true },
  });
  const schemas = await provider.send<List>('GET', '/Schemas');
  expect(schemas.body.Resources.map(({ id }) => id)).toHaveLength(3);
  for (const { meta } of schemas.body.Resources) {
    const path = meta.location.slice(meta.location.indexOf('/Schemas/'));
    expect((await provider.send('GET', path)).status).toBe(200);
  }
  expect((await provider.send<List>('GET', '/ResourceTypes')).body.totalResults).toBe(2);
  expect((await provider.send('GET', '/ResourceTypes/User')).body).toMatchObject({ endpoint: '/Users' });
  expect((await provider.send('GET', '/ResourceTypes/Robot')).status).toBe(404);
  for (const [method, path] of [
    ['POST', '/Bulk'],
    ['GET', '/Me'],
    ['PATCH', '/Me'],
    ['PUT', '/Me'],
    ['POST', '/Me'],
    ['DELETE', '/Me'],
  ] as const) {
    const { status, body } = await provider.send(method, path);
    expect([path, status, body.status]).toEqual([path, 501, '501']);
  }
  const unknown = await provider.send('GET', '/Robots');
  expect([unknown.status, unknown.headers['content-type'], unknown.body]).toEqual([
    404,
    'application/scim+json',
    expect.objectContaining({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '404' }),
  ]);
});

test('groups are found by a search with POST, and listed by the API', async () => {
  for (const name of ['Engineers', 'Staff']) await newScimGroup(provider, name, []);
  await idle();
  const { status, body } = await provider.send<List>('POST', '/Groups/.search', {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
    filter: 'displayName eq "engineers"',
  });
  expect([status, body.Resources.map(({ displayName }) => displayName)]).toEqual([200, ['Engineers']]);
  const listed = await call<{ data: { name: string }[] }>(
    'GET',
    `/directory_groups?directory=${provider.directory.id}&order=asc`,
  );
  expect(listed.body.data.map(({ name }) => name)).toEqual(['Engineers', 'Staff']);
});

test('the API finds directory users by email and by provider id, in one directory or in all', async () => {
  const other = await newProvider();
  const ada = await newScimUser(provider, 'ada', { externalId: 'E1', emails: [{ value: 'Ada@acme.example' }] });
  const twin = await newScimUser(other, 'ada', { externalId: 'E1', emails: [{ value: 'ada@acme.example' }] });
  await idle();
  const found = async (query: string): Promise<string[]> => {
    const { body } = await call<{ data: { id: string }[] }>('GET', `/directory_users?${query}&order=asc`);
    return body.data.map(({ id }) => id);
  };
  expect(await found('email=ADA@acme.example')).toEqual([ada.id, twin.id]);
  expect(await found(`idp_id=E1&directory=${other.directory.id}`)).toEqual([twin.id]);
  expect(await found('email=ada@acme.example&idp_id=E2')).toEqual([]);
  expect(await found('email=ada@acme.example&limit=1')).toEqual([ada.id]);
  expect((await call('GET', '/directory_users')).status).toBe(422);
  expect((await call('GET', '/directory_groups')).status).toBe(422);
  for (const path of [
    '/directory_users?directory=directory_x',
    '/directory_users?group=x',
    '/directory_groups?user=x',
  ]) {
    expect((await call('GET', path)).status).toBe(404);
  }
});
