import { beforeEach, describe, expect, test } from '@jest/globals';

import { addFault, advance, call, clearFaults, eventually, idle, reset, service } from '../../support/service.ts';
import { otherEnvironment } from '../authentication/inside.ts';
import { eventsNamed, newDirectory, newToken } from './directories.ts';
import {
  connectProvider,
  type List,
  newProvider,
  newScimGroup,
  newScimUser,
  patch,
  type Provider,
  type Resource,
} from './scim.ts';

let ours: Provider;
let theirs: Provider;

beforeEach(async () => {
  await reset();
  ours = await newProvider();
  theirs = await newProvider();
});

const listAs = async (authorization: string | undefined, key = ours.directory.external_key): Promise<unknown[]> => {
  const headers = authorization === undefined ? {} : { authorization };
  const {
    status,
    body,
    headers: response,
  } = await call('GET', `/scim/v2.0/${key}/Users`, undefined, { apiKey: null, headers });
  return [status, response['www-authenticate'], body];
};

describe('the token of a directory', () => {
  test('gives access to its own directory only, and every other directory responds with the same 401', async () => {
    const { apiKey } = await service();
    const rejected = await listAs(undefined);
    expect(rejected).toEqual([401, 'Bearer', expect.objectContaining({ status: '401' })]);
    for (const authorization of [
      `Bearer ${theirs.token}`,
      `Bearer ${ours.token}x`,
      `Bearer ${ours.token.slice(0, -1)}`,
      `Basic ${ours.token}`,
      `Bearer ${apiKey}`,
      'Bearer',
      `Bearer ${'x'.repeat(4_000)}`,
    ]) {
      expect(await listAs(authorization)).toEqual(rejected);
    }
    expect(await listAs(`Bearer ${ours.token}`, 'unknown')).toEqual(rejected);
    expect((await listAs(`bearer ${ours.token}`))[0]).toBe(200);
    expect((await call('GET', '/directories', undefined, { apiKey: ours.token })).status).toBe(401);
  });

  test('is invalid within five seconds of its revocation, its expiry, and the deletion of its directory', async () => {
    const short = await newToken(ours.directory.id, { expires_at: new Date(Date.now() + 60_000).toISOString() });
    expect((await listAs(`Bearer ${short.value}`))[0]).toBe(200);
    await advance(120);
    expect((await listAs(`Bearer ${short.value}`))[0]).toBe(401);
    const second = await newToken(ours.directory.id);
    expect((await listAs(`Bearer ${second.value}`))[0]).toBe(200);
    await call('DELETE', `/x/directories/${ours.directory.id}/tokens/${second.id}`);
    await advance(6);
    expect((await listAs(`Bearer ${second.value}`))[0]).toBe(401);
    expect((await listAs(`Bearer ${ours.token}`))[0]).toBe(200);
    await call('PATCH', `/x/directories/${ours.directory.id}`, { state: 'unlinked' });
    await advance(6);
    expect((await listAs(`Bearer ${ours.token}`))[0]).toBe(403);
    await call('DELETE', `/directories/${ours.directory.id}`);
    await advance(6);
    expect((await listAs(`Bearer ${ours.token}`))[0]).toBe(401);
  });
});

describe.each([
  ['another organization', false],
  ['another environment', true],
])('what belongs to %s', (_title, isElsewhere) => {
  let foreign: Provider;
  let user: string;
  let group: string;

  beforeEach(async () => {
    const apiKey = isElsewhere ? (await otherEnvironment()).apiKey : undefined;
    foreign = apiKey === undefined ? theirs : await connectProvider(await newDirectory({}, { apiKey }), apiKey);
    ({ id: user } = await newScimUser(foreign, 'ada@acme.example', { externalId: 'e1', displayName: 'Ada' }));
    ({ id: group } = await newScimGroup(foreign, 'Engineers', [user]));
  });

  test('is not found by id in any SCIM operation, and its tokens are not accepted with our keys', async () => {
    for (const [method, path, body] of [
      ['GET', `/Users/${user}`, undefined],
      ['PUT', `/Users/${user}`, { userName: 'x' }],
      ['PATCH', `/Users/${user}`, patch({ op: 'replace', path: 'active', value: false })],
      ['DELETE', `/Users/${user}`, undefined],
      ['GET', `/Groups/${group}`, undefined],
      ['PUT', `/Groups/${group}`, { displayName: 'x', members: [] }],
      ['PATCH', `/Groups/${group}`, patch({ op: 'remove', path: 'members' })],
      ['DELETE', `/Groups/${group}`, undefined],
    ] as const) {
      const { status, body: response } = await ours.send(method, path, body);
      expect([method, path, status, response.status]).toEqual([method, path, 404, '404']);
    }
    const own = await newScimUser(ours, 'bob@acme.example');
    const mine = await newScimGroup(ours, 'Staff');
    for (const body of [{ displayName: 'Mixed', members: [{ value: user }, { value: own.id }] }]) {
      expect((await ours.send('POST', '/Groups', body)).body.scimType).toBe('invalidValue');
      expect((await ours.send('PUT', `/Groups/${mine.id}`, body)).body.scimType).toBe('invalidValue');
    }
    const add = patch({ op: 'add', path: 'members', value: [{ value: user }] });
    expect((await ours.send('PATCH', `/Groups/${mine.id}`, add)).body.scimType).toBe('invalidValue');
    expect((await listAs(`Bearer ${foreign.token}`))[0]).toBe(401);
    expect((await listAs(`Bearer ${ours.token}`, foreign.directory.external_key))[0]).toBe(401);
    expect((await foreign.send('GET', `/Groups/${group}`)).body.members).toHaveLength(1);
  });

  test('is in no search result and on no page of a list', async () => {
    await newScimUser(ours, 'bob@acme.example');
    for (const [path, filter] of [
      ['/Users', `id eq "${user}"`],
      ['/Users', 'userName eq "ada@acme.example"'],
      ['/Users', 'externalId eq "e1"'],
      ['/Users', 'displayName eq "Ada"'],
      ['/Users', 'userName sw "ada"'],
      ['/Groups', `members.value eq "${user}"`],
      ['/Groups', 'displayName eq "Engineers"'],
    ] as const) {
      const found = await ours.send<List>('GET', `${path}?filter=${encodeURIComponent(filter)}`);
      expect([filter, found.body.totalResults]).toEqual([filter, 0]);
    }
    await idle();
    for (const cursor of ['', Buffer.from(user).toString('base64url')]) {
      const { body } = await ours.send<List>('GET', `/Users?cursor=${cursor}`);
      expect(JSON.stringify(body)).not.toContain(user);
    }
    const both = await ours.send<List>('POST', '/.search', {});
    expect(both.body.Resources.map(({ userName }) => userName)).toEqual(['bob@acme.example']);
  });

  test('cannot be claimed by the import of its key or token', async () => {
    const { status, body } = await call('POST', `/x/directories/${ours.directory.id}/tokens`, { value: foreign.token });
    expect([status, body.code]).toEqual([409, 'directory_token_taken']);
    const { organization_id, external_key } = foreign.directory;
    const copied = { organization_id: ours.directory.organization_id, name: 'Copy', external_key };
    expect((await call('POST', '/x/directories', copied)).status).toBe(422);
    expect(organization_id).not.toBe(ours.directory.organization_id);
    expect((await foreign.send('GET', `/Users/${user}`)).status).toBe(200);
  });

  test('is not found by the API with the key of one environment, or with the id of another directory', async () => {
    const { id } = foreign.directory;
    const elsewhere: [string, string, object?][] = [
      ['GET', `/directories/${id}`],
      ['GET', `/x/directories/${id}`],
      ['PATCH', `/x/directories/${id}`, { name: 'Mine' }],
      ['POST', `/x/directories/${id}/tokens`, {}],
      ['GET', `/directory_users?directory=${id}`],
      ['GET', `/directory_groups?directory=${id}`],
      ['GET', `/directory_users/${user}`],
      ['GET', `/directory_groups/${group}`],
      ['DELETE', `/x/directories/${id}/tokens/unknown`],
      ['DELETE', `/directories/${id}`],
    ];
    for (const [method, path, body] of isElsewhere ? elsewhere : []) {
      expect([method, path, (await call(method, path, body)).status]).toEqual([method, path, 404]);
    }
    const { tokens } = (await call<{ tokens: { id: string }[] }>('GET', `/x/directories/${ours.directory.id}`)).body;
    const wrong = await call('DELETE', `/x/directories/${theirs.directory.id}/tokens/${tokens[0]?.id ?? ''}`);
    expect(wrong.status).toBe(404);
    const mixed = await call('GET', `/directory_groups?directory=${ours.directory.id}&user=${user}`);
    expect(mixed.status).toBe(404);
    expect((await foreign.send('GET', `/Users/${user}`)).status).toBe(200);
  });
});

/** Users of our directory, all created at once. */
const newUsers = (count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, async (_, at) => (await newScimUser(ours, `user-${at}`)).id));

describe('many calls at once', () => {
  beforeEach(() => clearFaults());

  test('that change 32 users succeed, and of those that change one user none is lost or half done', async () => {
    const ids = await newUsers(32);
    const rename = (id: string, title: string) =>
      ours.send('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'title', value: title }));
    const responses = await Promise.all(ids.map((id) => rename(id, 'Analyst')));
    expect(responses.map(({ status }) => status)).toEqual(ids.map(() => 200));
    const [one = ''] = ids;
    const before = Number(/\d+/.exec((await ours.send('GET', `/Users/${one}`)).headers.etag ?? '')?.[0]);
    const racing = await Promise.all(Array.from({ length: 16 }, (_, at) => rename(one, `Title ${at}`)));
    const done = racing.filter(({ status }) => status === 200);
    for (const { status, headers } of racing.filter((each) => !done.includes(each))) {
      expect([status, headers['retry-after']]).toEqual([503, expect.any(String)]);
    }
    const after = await ours.send('GET', `/Users/${one}`);
    expect(Number(/\d+/.exec(after.headers.etag ?? '')?.[0])).toBe(before + done.length);
    expect(done.map(({ body }) => body.title)).toContain(after.body.title);
  }, 60_000);

  test('or an interruption do not prevent the repetition of a large change of members, with one event for each member', async () => {
    const ids = await newUsers(60);
    const { id } = await newScimGroup(ours, 'Everyone');
    const add = patch({ op: 'add', path: 'members', value: ids.map((value) => ({ value })) });
    await addFault({ target: 'table', kind: 'throttle', operations: ['TransactWriteItems'], count: 8 });
    const statuses = [];
    for (let at = 0; at < 4 && statuses.at(-1) !== 204; at += 1) {
      statuses.push((await ours.send('PATCH', `/Groups/${id}`, add)).status);
    }
    expect([statuses[0], statuses.at(-1)]).toEqual([503, 204]);
    expect((await ours.send('GET', `/Groups/${id}`)).body.members).toHaveLength(60);
    await idle();
    // GET /events waits up to eight seconds for a commit that reached its deadline, as a throttled one does on a busy machine.
    const countAdded = async () => (await eventsNamed('dsync.group.user_added')).length;
    await eventually(countAdded, (count) => count === 60);
  }, 60_000);
});

describe('the creation of a group with 80 members', () => {
  const groupsNamed = async (name: string): Promise<Resource[]> => {
    const filter = encodeURIComponent(`displayName eq "${name}"`);
    return (await ours.send<List>('GET', `/Groups?filter=${filter}`)).body.Resources;
  };

  beforeEach(() => clearFaults());

  /** Creates a group, and lets the table fail between its first and its last transaction. @returns the interrupted group */
  async function interrupt(body: object): Promise<Resource> {
    await addFault({ target: 'table', kind: 'delay', operations: ['TransactWriteItems'], delay_ms: 400 });
    const creation = ours.send('POST', '/Groups', body);
    let group: Resource | undefined;
    while (group === undefined) [group] = await groupsNamed('Everyone');
    await clearFaults();
    await addFault({ target: 'table', kind: 'throttle', operations: ['TransactWriteItems'] });
    expect((await creation).status).toBe(503);
    await clearFaults();
    return group;
  }

  test('that was interrupted is continued by the same request, and makes one group', async () => {
    const ids = await newUsers(80);
    const body = { displayName: 'Everyone', externalId: 'e1', members: ids.map((value) => ({ value })) };
    const { id } = await interrupt(body);
    const repeated = await ours.send('POST', '/Groups', body);
    expect([repeated.status, repeated.body.id]).toEqual([201, id]);
    expect((await groupsNamed('Everyone')).map((group) => (group.members as unknown[]).length)).toEqual([80]);
    await idle();
    expect(await eventsNamed('dsync.group.created')).toHaveLength(1);
    expect(await eventsNamed('dsync.group.user_added')).toHaveLength(80);
    const another = await ours.send('POST', '/Groups', body);
    expect([another.status, another.body.scimType]).toEqual([409, 'uniqueness']);
  }, 60_000);

  test('that was interrupted starts again if the group was deleted; a request that differs, or is an hour late, finds the name taken', async () => {
    const ids = await newUsers(80);
    const members = ids.map((value) => ({ value }));
    const body = { displayName: 'Everyone', members };
    const first = await interrupt(body);
    const differing = await ours.send('POST', '/Groups', { ...body, members: members.slice(1) });
    expect([differing.status, differing.body.scimType]).toEqual([409, 'uniqueness']);
    expect((await theirs.send('POST', '/Groups', body)).status).toBe(400);
    for (const group of await groupsNamed('Everyone')) await ours.send('DELETE', `/Groups/${group.id}`);
    const second = await interrupt(body);
    expect(second.id).not.toBe(first.id);
    await advance(3_601);
    const third = await ours.send('POST', '/Groups', body);
    expect([third.status, third.body.scimType]).toEqual([409, 'uniqueness']);
  }, 60_000);

  test('sent four times at once makes one group', async () => {
    const ids = await newUsers(80);
    const body = { displayName: 'Everyone', members: ids.map((value) => ({ value })) };
    // No call can be finished before each of them has begun.
    await addFault({ target: 'table', kind: 'delay', operations: ['TransactWriteItems'], delay_ms: 200 });
    const responses = await Promise.all(Array.from({ length: 4 }, () => ours.send('POST', '/Groups', body)));
    const [group, ...others] = await groupsNamed('Everyone');
    expect([others, (group?.members as unknown[]).length]).toEqual([[], 80]);
    for (const { status, body: made } of responses)
      expect([status, status === 201 ? made.id : group?.id]).toEqual([expect.any(Number), group?.id]);
    expect(responses.map(({ status }) => status)).toContain(201);
    await idle();
    expect(await eventsNamed('dsync.group.created')).toHaveLength(1);
  }, 60_000);
});

describe('a SCIM PATCH', () => {
  test.each<[string, object, string]>([
    [
      '1,001 operations',
      patch(...Array.from({ length: 1_001 }, () => ({ op: 'add', path: 'title', value: 'x' }))),
      'tooMany',
    ],
    [
      'values that grow beyond 64 KiB',
      patch(
        ...Array.from({ length: 900 }, (_, at) => ({
          op: 'add',
          path: 'ims',
          value: [{ value: `${at}${'x'.repeat(200)}` }],
        })),
      ),
      'invalidValue',
    ],
    ['a prototype in its path', patch({ op: 'add', path: 'name.__proto__', value: { x: 1 } }), 'invalidPath'],
    ['a prototype as an extension', patch({ op: 'add', path: 'constructor', value: 'x' }), 'invalidPath'],
    ['an unknown op', patch({ op: 'move', path: 'title', value: 'x' }), 'invalidSyntax'],
    ['no operations', {}, 'invalidSyntax'],
    ['a removal without a path', patch({ op: 'remove' }), 'noTarget'],
    [
      'a filter on what is no list',
      patch({ op: 'add', path: 'name[givenName eq "x"].familyName', value: 'y' }),
      'noTarget',
    ],
    ['a path that is not valid', patch({ op: 'add', path: 'emails[type eq "work"', value: 'x' }), 'invalidPath'],
    ['its own id', patch({ op: 'replace', path: 'id', value: 'x' }), 'mutability'],
    ['no user name any more', patch({ op: 'remove', path: 'userName' }), 'invalidValue'],
  ])('with %s is rejected without a partial change', async (_, body, scimType) => {
    const { id } = await newScimUser(ours, 'ada@acme.example');
    const { status, body: response } = await ours.send('PATCH', `/Users/${id}`, body);
    expect([status, response]).toEqual([400, expect.objectContaining({ scimType })]);
    expect((await ours.send('GET', `/Users/${id}`)).headers.etag).toBe('W/"1"');
  });

  test('of one group, sent twice at once, loses no member', async () => {
    await clearFaults();
    const ids = [];
    for (let at = 0; at < 8; at += 1) ids.push((await newScimUser(ours, `user-${at}`)).id);
    const { id } = await newScimGroup(ours, 'Everyone');
    const responses = await Promise.all(
      ids.map((value) =>
        ours.send('PATCH', `/Groups/${id}`, patch({ op: 'add', path: 'members', value: [{ value }] })),
      ),
    );
    const done = ids.filter((_, at) => responses[at]?.status === 204);
    expect(done.length).toBeGreaterThan(0);
    const { body } = await ours.send('GET', `/Groups/${id}`);
    const members = (body.members as { value: string }[]).map(({ value }) => value);
    expect(members).toEqual(expect.arrayContaining(done));
  });
});

test('a directory with an imported external key and token works without changes at the provider', async () => {
  const moved = await newProvider({ external_key: 'UWuccu6o1E0GqkYs' });
  const token = 'an-imported-token-of-another-service';
  await newToken(moved.directory.id, { value: token });
  expect((await listAs(`Bearer ${token}`, 'UWuccu6o1E0GqkYs'))[0]).toBe(200);
  expect((await connectProvider(moved.directory)).token).not.toBe(token);
});
