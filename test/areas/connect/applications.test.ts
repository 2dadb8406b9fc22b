import { beforeEach, describe, expect, test } from '@jest/globals';

import { advance, call, idle, reset, sdk, service } from '../../support/service.ts';
import { newOrganization } from '../../support/organizations.ts';

interface Application {
  id: string;
  client_id: string;
  name: string;
  description: string | null;
  scopes: string[];
  redirect_uris?: { uri: string; default: boolean }[];
  [member: string]: unknown;
}

interface Secret {
  id: string;
  secret: string;
  secret_hint: string;
  last_used_at: string | null;
}

const PATH = '/connect/applications';
const FIRST = { name: 'Web', application_type: 'oauth', is_first_party: true } as const;

const create = (body: object) => call<Application>('POST', PATH, body);
const created = async (body: object = FIRST): Promise<Application> => {
  const { status, body: application } = await create(body);
  expect(status).toBe(201);
  return application;
};
const readFields = ({ body }: { body: unknown }): string[] =>
  (body as { errors: { field: string }[] }).errors.map(({ field }) => field);

beforeEach(() => reset());

describe('an application', () => {
  test('signs in users, as first party or for an organization as third party, or acts for an organization itself', async () => {
    const organizationId = await newOrganization();
    const web = await created({
      ...FIRST,
      description: 'The web app',
      scopes: ['openid', 'email'],
      redirect_uris: [{ uri: 'https://a.example/cb' }, { uri: 'http://127.0.0.1/cb', default: true }],
    });
    expect(web).toEqual({
      object: 'connect_application',
      id: expect.stringMatching(/^conn_app_/),
      client_id: web.id.replace('conn_app_', 'client_'),
      name: 'Web',
      description: 'The web app',
      scopes: ['openid', 'email'],
      application_type: 'oauth',
      is_first_party: true,
      redirect_uris: [
        { uri: 'https://a.example/cb', default: false },
        { uri: 'http://127.0.0.1/cb', default: true },
      ],
      cors_origins: [],
      uses_pkce: true,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const third = {
      name: 'Partner',
      application_type: 'oauth',
      is_first_party: false,
      organization_id: organizationId,
    };
    expect(await created(third)).toMatchObject({
      is_first_party: false,
      was_dynamically_registered: false,
      organization_id: organizationId,
    });
    const machine = await created({ name: 'Sync', application_type: 'm2m', organization_id: organizationId });
    expect(machine).toMatchObject({ application_type: 'm2m', organization_id: organizationId });
    expect(machine).not.toHaveProperty('redirect_uris');
  });

  test('is found, updated and deleted by its id and by its client id', async () => {
    const { id, client_id } = await created();
    for (const named of [id, client_id]) {
      expect((await call<Application>('GET', `${PATH}/${named}`)).body.id).toBe(id);
      expect((await call<Application>('PUT', `${PATH}/${named}`, { name: named })).body.name).toBe(named);
    }
    expect((await call('DELETE', `${PATH}/${client_id}`)).status).toBe(204);
    expect((await call('GET', `${PATH}/${id}`)).status).toBe(404);
    const { clientId } = await service();
    expect((await call('GET', `${PATH}/${clientId}`)).status).toBe(404);
  });

  test('keeps its scopes and redirect URIs when the official client renames it and sends null for both', async () => {
    const application = await created({
      ...FIRST,
      scopes: ['email'],
      redirect_uris: [{ uri: 'https://a.example/cb' }],
    });
    const renamed = await sdk().connect.updateApplication({ id: application.id, name: 'New' });
    expect(renamed).toMatchObject({ name: 'New', scopes: ['email'] });
    const nulls = { name: 'Newer', scopes: null, redirect_uris: null, description: null };
    const { body } = await call<Application>('PUT', `${PATH}/${application.id}`, nulls);
    expect(body).toMatchObject({ name: 'Newer', scopes: ['email'], redirect_uris: [{ uri: 'https://a.example/cb' }] });
    const cleared = await call<Application>('PUT', `${PATH}/${application.id}`, { scopes: [], redirect_uris: [] });
    expect(cleared.body).toMatchObject({ scopes: [], redirect_uris: [] });
  });

  test('has origins, as browsers write them, which null leaves unchanged and an empty list clears', async () => {
    const application = await created({ ...FIRST, cors_origins: ['https://App.example:443/', 'https://app.example'] });
    expect(application).toMatchObject({ cors_origins: ['https://app.example'] });
    const put = async (body: object) => (await call<Application>('PUT', `${PATH}/${application.id}`, body)).body;
    expect(await put({ cors_origins: null })).toMatchObject({ cors_origins: ['https://app.example'] });
    const others = ['http://localhost:3000', 'https://b.example'];
    expect(await put({ cors_origins: others })).toMatchObject({ cors_origins: others });
    expect((await call('GET', `${PATH}/${application.id}`)).body).toMatchObject({ cors_origins: others });
    expect(await put({ cors_origins: [] })).toMatchObject({ cors_origins: [] });
    const wrong = await create({ ...FIRST, cors_origins: ['https://a.example', '*', 'https://a.example/x', 'null'] });
    expect({ status: wrong.status, fields: readFields(wrong) }).toEqual({
      status: 422,
      fields: ['cors_origins.1', 'cors_origins.2', 'cors_origins.3'],
    });
    const organization_id = await newOrganization();
    const machine = await created({ name: 'Sync', application_type: 'm2m', organization_id });
    expect(machine).not.toHaveProperty('cors_origins');
    const rejected = await call('PUT', `${PATH}/${machine.id}`, { cors_origins: ['https://a.example'] });
    expect({ status: rejected.status, fields: readFields(rejected) }).toEqual({
      status: 422,
      fields: ['cors_origins'],
    });
  });

  test('can have scopes of OpenID and permissions of the environment only', async () => {
    await call('POST', '/authorization/permissions', { slug: 'posts:read', name: 'Read posts' });
    expect((await created({ ...FIRST, scopes: ['posts:read', 'openid', 'openid'] })).scopes).toEqual([
      'posts:read',
      'openid',
    ]);
    const wrong = await create({ ...FIRST, scopes: ['posts:read', 'posts:write', '*'] });
    expect({ status: wrong.status, fields: readFields(wrong) }).toEqual({
      status: 422,
      fields: ['scopes.1', 'scopes.2'],
    });
  });

  test.each([
    'http://app.example/cb',
    'https://*.app.example/cb',
    'https://user@app.example/cb',
    'https://app.example\\@evil.example/cb',
    'https://app.example/cb#fragment',
    'https://APP.example/cb',
    'https://app.example/a/../cb',
    'https://app.example/%2e%2e/cb',
    'javascript:alert(1)',
    '/cb',
    'https://app.example/😀',
  ])('cannot have the redirect URI %s', async (uri) => {
    const response = await create({ ...FIRST, redirect_uris: [{ uri: 'https://a.example/cb' }, { uri }] });
    expect({ status: response.status, fields: readFields(response) }).toEqual({
      status: 422,
      fields: ['redirect_uris.1.uri'],
    });
  });

  test('has one default redirect URI, and no redirect URI twice', async () => {
    const [one, two] = [{ uri: 'https://a.example/1' }, { uri: 'https://a.example/2' }];
    expect((await created({ ...FIRST, redirect_uris: [one, two] })).redirect_uris).toEqual([
      { ...one, default: true },
      { ...two, default: false },
    ]);
    const several = await create({ ...FIRST, redirect_uris: [one, two].map((uri) => ({ ...uri, default: true })) });
    expect({ status: several.status, fields: readFields(several) }).toEqual({ status: 422, fields: ['redirect_uris'] });
    expect((await create({ ...FIRST, redirect_uris: [one, one] })).status).toBe(422);
  });

  test('of a third party requires an organization of this environment', async () => {
    const third = { name: 'Partner', application_type: 'oauth', is_first_party: false };
    const missing = await create(third);
    expect({ status: missing.status, fields: readFields(missing) }).toEqual({
      status: 422,
      fields: ['organization_id'],
    });
    const unknown = { organization_id: 'org_01K0G000000000000000000009' };
    expect((await create({ ...third, ...unknown })).status).toBe(404);
    expect((await create({ name: 'Sync', application_type: 'm2m', ...unknown })).status).toBe(404);
    expect((await create({ name: 'Sync', application_type: 'm2m' })).status).toBe(422);
    expect((await create({ name: 'Web', application_type: 'other' })).status).toBe(422);
  });

  test('is deleted with its organization, and so are its secrets', async () => {
    const organizationId = await newOrganization();
    const { id } = await created({ name: 'Sync', application_type: 'm2m', organization_id: organizationId });
    const secret = (await call<Secret>('POST', `${PATH}/${id}/client_secrets`)).body;
    await call('DELETE', `/organizations/${organizationId}`);
    // The second sweep also finds the rows that the index of owned rows did not show yet.
    await idle();
    await advance(700);
    await idle();
    expect((await call('GET', `${PATH}/${id}`)).status).toBe(404);
    expect((await call('DELETE', `/connect/client_secrets/${secret.id}`)).status).toBe(404);
  });

  test('can be listed by organization and in pages, newest first', async () => {
    const organizationId = await newOrganization();
    const ids = [];
    for (const name of ['A', 'B', 'C']) ids.push((await created({ ...FIRST, name })).id);
    const machine = await created({ name: 'Sync', application_type: 'm2m', organization_id: organizationId });
    await idle();
    const first = await sdk().connect.listApplications({ limit: 2 });
    expect(first.data.map(({ id }) => id)).toEqual([machine.id, ids[2]]);
    const second = await call<{ data: Application[] }>('GET', `${PATH}?before=${ids[2]}&limit=2`);
    expect(second.body.data.map(({ id }) => id)).toEqual([ids[1], ids[0]]);
    const own = await call<{ data: Application[] }>('GET', `${PATH}?organization_id=${organizationId}`);
    expect(own.body.data.map(({ id }) => id)).toEqual([machine.id]);
    const dynamic = await call<{ data: Application[] }>('GET', `${PATH}?registration_types=dynamic`);
    expect(dynamic.body.data).toEqual([]);
    expect(
      (await call<{ data: [] }>('GET', `${PATH}?registration_types=dynamic,authenticated`)).body.data,
    ).toHaveLength(4);
    expect((await call('GET', `${PATH}?registration_types=other`)).status).toBe(422);
  });
});

describe('a client secret', () => {
  test('is shown once, and its hint is its last four characters', async () => {
    const { id, client_id } = await created();
    const made = await sdk().connect.createApplicationClientSecret({ id });
    expect(made.secret).toMatch(/^cs_/);
    expect(made.secretHint).toBe(made.secret.slice(-4));
    const { status, body } = await call<Secret[]>('GET', `${PATH}/${client_id}/client_secrets`);
    expect({ status, ids: body.map((secret) => secret.id) }).toEqual({ status: 200, ids: [made.id] });
    expect(JSON.stringify(body)).not.toContain(made.secret);
    expect((await call('DELETE', `/connect/client_secrets/${made.id}`)).status).toBe(204);
    expect((await call<Secret[]>('GET', `${PATH}/${id}/client_secrets`)).body).toEqual([]);
    expect((await call('DELETE', `/connect/client_secrets/${made.id}`)).status).toBe(404);
  });

  test('cannot be created when there are ten, however many requests create one at once', async () => {
    const { id } = await created();
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => call<{ code?: string }>('POST', `${PATH}/${id}/client_secrets`, {})),
    );
    const listed = (await call<Secret[]>('GET', `${PATH}/${id}/client_secrets`)).body;
    expect(listed.length).toBeLessThanOrEqual(10);
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(listed.length);
    while ((await call<Secret[]>('GET', `${PATH}/${id}/client_secrets`)).body.length < 10) {
      await call('POST', `${PATH}/${id}/client_secrets`, {});
    }
    expect(await call('POST', `${PATH}/${id}/client_secrets`, {})).toMatchObject({
      status: 422,
      body: { code: 'client_secret_limit_exceeded' },
    });
  });
});
