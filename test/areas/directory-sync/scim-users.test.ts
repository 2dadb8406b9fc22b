import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, idle, reset } from '../../support/service.ts';
import { eventsNamed } from './directories.ts';
import { ENTERPRISE, type List, newProvider, newScimUser, patch, type Provider, USER } from './scim.ts';

let provider: Provider;

beforeEach(async () => {
  await reset();
  provider = await newProvider();
});

const ada = {
  schemas: [USER, ENTERPRISE],
  externalId: '00u1',
  userName: 'Ada@Acme.example',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [
    { value: 'ada.home@example.org', type: 'home' },
    { value: 'Ada@Acme.example', type: 'work', primary: true },
  ],
  title: 'Analyst',
  active: true,
  [ENTERPRISE]: { department: 'Engines', manager: 'm1' },
  'urn:acme:2.0:User': { floor: 3 },
  shoeSize: null,
};

describe('a user', () => {
  test('is created, and shown by SCIM and by the API', async () => {
    const { status, body, headers } = await provider.send('POST', '/Users', ada);
    expect(status).toBe(201);
    expect(headers['content-type']).toBe('application/scim+json');
    expect(headers.location).toBe(body.meta.location);
    expect(headers.etag).toBe('W/"1"');
    expect(body).toMatchObject({
      schemas: [USER, ENTERPRISE, 'urn:acme:2.0:User'],
      userName: 'Ada@Acme.example',
      [ENTERPRISE]: { department: 'Engines', manager: { value: 'm1' } },
      'urn:acme:2.0:User': { floor: 3 },
      meta: { resourceType: 'User', version: 'W/"1"' },
    });
    expect(body).not.toHaveProperty('shoeSize');
    expect((await provider.send('GET', `/Users/${body.id}`)).body).toEqual(body);
    const { body: presented } = await call('GET', `/directory_users/${body.id}`);
    expect(presented).toMatchObject({
      object: 'directory_user',
      id: body.id,
      idp_id: '00u1',
      directory_id: provider.directory.id,
      email: 'ada@acme.example',
      first_name: 'Ada',
      last_name: 'Lovelace',
      name: 'Ada Lovelace',
      job_title: 'Analyst',
      username: 'Ada@Acme.example',
      state: 'active',
      custom_attributes: { department_name: 'Engines', job_title: 'Analyst', username: 'Ada@Acme.example' },
      groups: [],
    });
    await idle();
    const { groups: _groups, ...payload } = presented;
    expect(await eventsNamed('dsync.user.created')).toEqual([payload]);
    expect((await call('GET', `/directories/${provider.directory.id}`)).body).toMatchObject({
      state: 'linked',
      metadata: { users: { active: 1, inactive: 0 }, groups: 0 },
    });
    expect(await eventsNamed('dsync.activated')).toEqual([expect.objectContaining({ state: 'active' })]);
  });

  test('has a userName that is unique in the directory, ignoring case', async () => {
    await newScimUser(provider, 'ada@acme.example');
    const { status, body } = await provider.send('POST', '/Users', { schemas: [USER], userName: 'ADA@acme.example' });
    expect(status).toBe(409);
    expect(body).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '409',
      scimType: 'uniqueness',
    });
    const all = await Promise.all(
      [1, 2, 3].map(() => provider.send('POST', '/Users', { userName: 'bob@acme.example' })),
    );
    expect(all.map(({ status: each }) => each).sort()).toEqual([201, 409, 409]);
    const { id } = await newScimUser(provider, 'carol@acme.example');
    const replaced = await provider.send('PUT', `/Users/${id}`, { schemas: [USER], userName: 'bob@acme.example' });
    const renaming = patch({ op: 'replace', path: 'userName', value: 'Bob@acme.example' });
    const changed = await provider.send('PATCH', `/Users/${id}`, renaming);
    for (const rejected of [replaced, changed]) {
      expect([rejected.status, rejected.body.scimType]).toEqual([409, 'uniqueness']);
    }
  });

  test('is not replaced by a body that is not an object or has no userName', async () => {
    const { id } = await newScimUser(provider, 'ada@acme.example', { title: 'Analyst' });
    for (const body of [[], { schemas: [USER] }]) {
      expect([body, (await provider.send('PUT', `/Users/${id}`, body)).status]).toEqual([body, 400]);
    }
    expect((await provider.send('GET', `/Users/${id}`)).body).toMatchObject({ title: 'Analyst' });
  });

  test('is replaced by PUT, which keeps `active` if the body does not name it', async () => {
    const { id } = await newScimUser(provider, 'ada@acme.example', { title: 'Analyst', active: false });
    const { body } = await provider.send('PUT', `/Users/${id}`, { schemas: [USER], userName: 'ada2@acme.example' });
    expect(body).toMatchObject({ userName: 'ada2@acme.example', active: false });
    expect(body).not.toHaveProperty('title');
    const found = await provider.send<List>('GET', '/Users?filter=userName eq "ada@acme.example"');
    expect(found.body.totalResults).toBe(0);
    await newScimUser(provider, 'ada@acme.example');
  });

  test('has a version that If-Match compares, and If-None-Match avoids a repeated response', async () => {
    const { id, meta } = await newScimUser(provider, 'ada@acme.example');
    const same = await provider.send('GET', `/Users/${id}`, undefined, { 'if-none-match': meta.version });
    expect([same.status, same.body]).toEqual([304, undefined]);
    const change = patch({ op: 'replace', path: 'title', value: 'Countess' });
    const changed = await provider.send('PATCH', `/Users/${id}`, change, { 'if-match': meta.version });
    expect([changed.status, changed.headers.etag]).toEqual([200, 'W/"2"']);
    for (const method of ['PATCH', 'PUT', 'DELETE']) {
      const body = method === 'DELETE' ? undefined : method === 'PUT' ? { userName: 'x' } : change;
      const stale = await provider.send(method, `/Users/${id}`, body, { 'if-match': meta.version });
      expect([method, stale.status, stale.body.status]).toEqual([method, 412, '412']);
    }
    expect((await provider.send('GET', `/Users/${id}`, undefined, { 'if-none-match': meta.version })).status).toBe(200);
  });

  test('emits no event and keeps its version if nothing changes', async () => {
    const { id } = await newScimUser(provider, 'ada@acme.example', { title: 'Analyst' });
    const { headers } = await provider.send(
      'PATCH',
      `/Users/${id}`,
      patch({ op: 'Replace', path: 'title', value: 'Analyst' }),
    );
    expect(headers.etag).toBe('W/"1"');
    await provider.send('PATCH', `/Users/${id}`, patch({ op: 'Replace', path: 'title', value: 'Countess' }));
    await idle();
    const { body } = await call<{ data: { context?: unknown; data: unknown }[] }>(
      'GET',
      '/events?events=dsync.user.updated',
    );
    expect(body.data).toHaveLength(1);
    expect(JSON.stringify(body.data[0])).toContain('"job_title":"Analyst"');
  });

  test('is deleted in SCIM and the API, with one event', async () => {
    const { id } = await newScimUser(provider, 'ada@acme.example');
    const twice = await Promise.all([provider.send('DELETE', `/Users/${id}`), provider.send('DELETE', `/Users/${id}`)]);
    expect(twice.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect((await provider.send('GET', `/Users/${id}`)).body).toMatchObject({ status: '404' });
    expect((await call('GET', `/directory_users/${id}`)).status).toBe(404);
    await idle();
    expect(await eventsNamed('dsync.user.deleted')).toHaveLength(1);
    expect((await call('GET', `/directories/${provider.directory.id}`)).body).toMatchObject({
      metadata: { users: { active: 0, inactive: 0 } },
    });
  });
});

describe('a directory user who becomes inactive', () => {
  const off = patch({ op: 'Replace', path: 'active', value: 'False' });
  const on = patch({ op: 'Replace', path: 'active', value: 'True' });

  test('is deleted in the API, keeps the SCIM id, and returns as a new directory user', async () => {
    const { id } = await newScimUser(provider, 'ada@acme.example');
    expect((await provider.send('PATCH', `/Users/${id}`, off)).body).toMatchObject({ id, active: false });
    expect((await call('GET', `/directory_users/${id}`)).status).toBe(404);
    expect((await provider.send('GET', `/Users/${id}`)).body).toMatchObject({ id, active: false });
    expect((await provider.send('PATCH', `/Users/${id}`, on)).body).toMatchObject({ id, active: true });
    await idle();
    const [{ id: again = '' } = {}] = (
      await call<{ data: { id: string }[] }>('GET', `/directory_users?directory=${provider.directory.id}`)
    ).body.data;
    expect(again).toMatch(/^directory_user_/);
    expect(again).not.toBe(id);
    expect((await call('GET', `/directory_users/${id}`)).status).toBe(404);
    expect((await call('GET', `/directory_users/${again}`)).body).toMatchObject({ id: again, state: 'active' });
    const created = await eventsNamed('dsync.user.created');
    expect(created.map((user) => user.id)).toEqual([id, again]);
    expect(await eventsNamed('dsync.user.deleted')).toEqual([expect.objectContaining({ id, state: 'inactive' })]);
    expect((await provider.send('DELETE', `/Users/${id}`)).status).toBe(204);
    expect((await call('GET', `/directory_users/${again}`)).status).toBe(404);
  });

  test('keeps existing with the state inactive if the directory is configured that way', async () => {
    const keeping = await newProvider({ inactive_users: 'keep' });
    const { id } = await newScimUser(keeping, 'ada@acme.example');
    await keeping.send('PATCH', `/Users/${id}`, off);
    expect((await call('GET', `/directory_users/${id}`)).body).toMatchObject({ id, state: 'inactive' });
    expect((await call('GET', `/directories/${keeping.directory.id}`)).body).toMatchObject({
      metadata: { users: { active: 0, inactive: 1 } },
    });
    await keeping.send('PATCH', `/Users/${id}`, on);
    await idle();
    const updates = await eventsNamed('dsync.user.updated');
    expect(updates.map(({ state }) => state)).toEqual(['inactive', 'active']);
  });
});

describe('the input of a SCIM request', () => {
  test.each<[string, unknown, string]>([
    ['no user name', { schemas: [USER] }, 'invalidValue'],
    ['an empty user name', { userName: ' ' }, 'invalidValue'],
    ['a user name of 513 characters', { userName: 'a'.repeat(513) }, 'invalidValue'],
    ['a name that is a text', { userName: 'ada', name: 'Ada' }, 'invalidValue'],
    ['active that is no boolean', { userName: 'ada', active: 'yes' }, 'invalidValue'],
    ['more than 64 KiB', { userName: 'ada', note: 'x'.repeat(65_536) }, 'invalidValue'],
    [
      '501 emails',
      { userName: 'ada', emails: Array.from({ length: 501 }, () => ({ value: 'a@b.example' })) },
      'invalidValue',
    ],
  ])('with %s is rejected with an error in the format of SCIM', async (_, body, scimType) => {
    const response = await provider.send('POST', '/Users', body);
    expect(response.status).toBe(400);
    expect(response.headers['content-type']).toBe('application/scim+json');
    expect(response.body).toMatchObject({ status: '400', scimType });
  });

  test('that is not JSON is rejected with invalidSyntax', async () => {
    const { status, body } = await call('POST', `/scim/v2.0/${provider.directory.external_key}/Users`, undefined, {
      apiKey: provider.token,
      rawBody: '{"userName":',
      headers: { 'content-type': 'application/scim+json' },
    });
    expect([status, body]).toEqual([400, expect.objectContaining({ scimType: 'invalidSyntax' })]);
  });

  test('is stored with any characters, except for a password, which is never stored', async () => {
    const note = '👩‍🚀 \uffff "\\ \u0000';
    const { id } = await newScimUser(provider, 'ada 👩‍🚀', { note, password: 'secret', PassWord: 'secret' });
    const { body } = await provider.send('GET', `/Users/${id}`);
    expect(body).toMatchObject({ userName: 'ada 👩‍🚀', note });
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(JSON.stringify((await call('GET', `/directory_users/${id}`)).body)).not.toContain('secret');
  });
});
