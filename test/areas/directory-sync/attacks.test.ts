import { beforeEach, describe, expect, test } from '@jest/globals';

import { advance, call, clearFaults, reset, service } from '../../support/service.ts';
import { newToken } from './directories.ts';
import { connectProvider, newProvider, newScimGroup, newScimUser, patch, type Provider } from './scim.ts';

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
    headers: answered,
  } = await call('GET', `/scim/v2.0/${key}/Users`, undefined, { apiKey: null, headers });
  return [status, answered['www-authenticate'], body];
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

test('ids of another directory return 404 in each operation', async () => {
  const user = await newScimUser(theirs, 'ada@acme.example');
  const group = await newScimGroup(theirs, 'Engineers', [user.id]);
  for (const [method, path, body] of [
    ['GET', `/Users/${user.id}`, undefined],
    ['PUT', `/Users/${user.id}`, { userName: 'x' }],
    ['PATCH', `/Users/${user.id}`, patch({ op: 'replace', path: 'active', value: false })],
    ['DELETE', `/Users/${user.id}`, undefined],
    ['GET', `/Groups/${group.id}`, undefined],
    ['PUT', `/Groups/${group.id}`, { displayName: 'x', members: [] }],
    ['PATCH', `/Groups/${group.id}`, patch({ op: 'remove', path: 'members' })],
    ['DELETE', `/Groups/${group.id}`, undefined],
  ] as const) {
    const { status, body: answer } = await ours.send(method, path, body);
    expect([method, path, status, answer.status]).toEqual([method, path, 404, '404']);
  }
  for (const filter of [`id eq "${user.id}"`, 'userName eq "ada@acme.example"']) {
    const found = await ours.send<{ totalResults: number }>('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    expect(found.body.totalResults).toBe(0);
  }
  const members = await ours.send<{ totalResults: number }>(
    'GET',
    `/Groups?filter=${encodeURIComponent(`members.value eq "${user.id}"`)}`,
  );
  expect(members.body.totalResults).toBe(0);
  expect((await theirs.send('GET', `/Groups/${group.id}`)).body.members).toHaveLength(1);
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
    const { status, body: answer } = await ours.send('PATCH', `/Users/${id}`, body);
    expect([status, answer]).toEqual([400, expect.objectContaining({ scimType })]);
    expect((await ours.send('GET', `/Users/${id}`)).headers.etag).toBe('W/"1"');
  });

  test('of one group, sent twice at once, loses no member', async () => {
    await clearFaults();
    const ids = [];
    for (let at = 0; at < 8; at += 1) ids.push((await newScimUser(ours, `user-${at}`)).id);
    const { id } = await newScimGroup(ours, 'Everyone');
    const answers = await Promise.all(
      ids.map((value) =>
        ours.send('PATCH', `/Groups/${id}`, patch({ op: 'add', path: 'members', value: [{ value }] })),
      ),
    );
    const done = ids.filter((_, at) => answers[at]?.status === 204);
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
