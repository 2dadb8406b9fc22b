import { beforeEach, describe, expect, test } from '@jest/globals';

import { newEnvironment, newEnvironmentKey } from '../../../functions/kernel/authentication/api-key.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { environments } from '../../../functions/kernel/storage/environment.ts';
import { advance, call, idle, messages, reset, service } from '../../support/service.ts';
import { environment } from '../../support/users.ts';
import { commitRows } from '../../support/user-rows.ts';

interface Team {
  id: string;
  name: string;
  production_state: string;
  production_enabled_at: string | null;
  code?: string;
}

interface Key {
  id: string;
  value: string;
  environment_id: string;
  last_four: string;
  code?: string;
}

const create = (name = 'Acme', email = 'ada@acme.example', options = {}) =>
  call<Team>('POST', '/platform/teams', { name, admin_email: email }, options);
const get = (id: string, apiKey?: string) =>
  call<Team>('GET', `/platform/teams/${id}`, undefined, apiKey === undefined ? {} : { apiKey });
const setState = (id: string, state: string) =>
  call<Team>('PUT', `/x/platform/teams/${id}/production_state`, { production_state: state });
const keysOf = (id: string, kind: string) => `/x/platform/teams/${id}/environments/${kind}/keys`;
const createKey = (id: string, kind: string, body: object = {}) => call<Key>('POST', keysOf(id, kind), body);
const listEnvironments = async (id: string) =>
  (
    await call<{ data: { id: string; kind: string; name: string; client_id: string }[] }>(
      'GET',
      `/x/platform/teams/${id}/environments`,
    )
  ).body.data;
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

/** Writes another environment with an API key. It is a platform or an ordinary environment. */
async function addEnvironment(isPlatform: boolean): Promise<string> {
  await environment();
  const { record, write } = newEnvironment('Elsewhere', undefined, undefined, undefined, isPlatform);
  const key = newEnvironmentKey(record.id, 'Key');
  await commitRows(record.id, [write, ...key.writes]);
  return key.value;
}

/** A token of a new m2m application with these scopes. */
async function machineToken(scopes: readonly string[]): Promise<{ token: string; id: string }> {
  const organizationId = (await call<{ id: string }>('POST', '/organizations', { name: 'Operations' })).body.id;
  for (const slug of scopes) await call('POST', '/authorization/permissions', { slug, name: slug });
  const application = { name: 'Provisioning', application_type: 'm2m', organization_id: organizationId, scopes };
  const { id, client_id: client } = (
    await call<{ id: string; client_id: string }>('POST', '/connect/applications', application)
  ).body;
  const { secret } = (await call<{ secret: string }>('POST', `/connect/applications/${id}/client_secrets`, {})).body;
  const form = { grant_type: 'client_credentials', client_id: client, client_secret: secret };
  const { body } = await call<{ access_token: string }>(
    'POST',
    `/oauth2/${(await service()).clientId}/token`,
    undefined,
    {
      apiKey: null,
      rawBody: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
  );
  return { token: body.access_token, id };
}

beforeEach(() => reset());

describe('a team', () => {
  test('begins with production inactive, two environments of its own and an invitation to its administrator', async () => {
    const { status, body } = await create('Acmé 🚀', 'Ada@Acme.example');
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { object: 'team', name: 'Acmé 🚀', production_state: 'Inactive', production_enabled_at: null },
    });
    expect((await get(body.id)).body).toEqual(body);
    const found = await listEnvironments(body.id);
    expect(found.map(({ kind, name }) => [kind, name])).toEqual([
      ['staging', 'Acmé 🚀 staging'],
      ['production', 'Acmé 🚀 production'],
    ]);
    const [mail] = await messages('ada@acme.example');
    expect(mail?.subject).toBe('You administer Acmé 🚀 at Local');
    for (const { client_id: clientId } of found) expect(JSON.stringify(mail)).toContain(clientId);
    expect(JSON.stringify(mail)).not.toContain('sk_env_');
    await idle();
    const list = (await call<{ data: Team[] }>('GET', '/x/platform/teams')).body.data;
    expect(list).toEqual([body]);
  });

  test('is created once for each administrator, whatever the spelling of the address, also in parallel', async () => {
    const responses = await Promise.all(
      ['ada@acme.example', 'ADA@acme.example', 'ada@Acme.Example'].map((email) => create('Acme', email)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(codeOf(await create())).toEqual([409, 'user_already_exists']);
    expect(await messages('ada@acme.example')).toHaveLength(1);
  });

  test('is rejected without a name or with an address to which no mail can be sent', async () => {
    const long = 'x'.repeat(65_536);
    for (const body of [
      {},
      { name: 'Acme' },
      { name: ' ', admin_email: 'ada@acme.example' },
      { name: null, admin_email: null },
      { name: long, admin_email: 'ada@acme.example' },
      { name: 'Acme', admin_email: 'ada' },
      { name: 'Acme', admin_email: 'ada@acme.example\r\nBcc: eve@evil.example' },
    ]) {
      expect((await call('POST', '/platform/teams', body)).status).toBe(422);
    }
    expect((await create('\uFFFF')).status).toBe(201);
  });

  test('is created only once if the request is repeated with its Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'team-1' };
    const first = await create('Acme', 'ada@acme.example', { headers });
    expect(await create('Acme', 'ada@acme.example', { headers })).toMatchObject({ status: 201, body: first.body });
  });

  test('can be created at most twenty times a day, and requests with an invalid address do not count', async () => {
    for (let at = 0; at < 20; at += 1) expect((await create('Acme', `admin${at}@acme.example`)).status).toBe(201);
    expect(codeOf(await create('Acme', 'admin1@acme.example'))).toEqual([409, 'user_already_exists']);
    const blocked = await create('Acme', 'admin20@acme.example');
    expect([blocked.status, Number(blocked.headers['retry-after']) > 3_600]).toEqual([429, true]);
    expect(await messages('admin20@acme.example')).toEqual([]);
    await advance(86_400);
    expect((await create('Acme', 'admin20@acme.example')).status).toBe(201);
  });
});

describe('a key of an environment of a team', () => {
  test('is shown once and works in its own environment only', async () => {
    const { id } = (await create()).body;
    const [staging] = await listEnvironments(id);
    const { status, body: key } = await createKey(id, 'staging', { name: 'CI' });
    expect([status, key.environment_id]).toEqual([201, staging?.id]);
    await call('POST', '/organizations', { name: 'Of the platform' });
    const made = await call<{ id: string }>('POST', '/organizations', { name: 'Staged' }, { apiKey: key.value });
    expect(made.status).toBe(201);
    expect((await call('GET', `/organizations/${made.body.id}`)).status).toBe(404);
    await idle();
    const listed = await call('GET', keysOf(id, 'staging'));
    expect(JSON.stringify(listed.body)).not.toContain(key.value);
    expect(listed.body).toMatchObject({ data: [{ id: key.id, name: 'CI', last_four: key.value.slice(-4) }] });
    expect((await call('DELETE', `${keysOf(id, 'staging')}/${key.id}`)).status).toBe(204);
    expect((await call('DELETE', `${keysOf(id, 'staging')}/${key.id}`)).status).toBe(404);
    await idle();
    expect((await call('GET', keysOf(id, 'staging'))).body).toMatchObject({ data: [] });
  });

  test('with only the permission to read cannot change anything', async () => {
    const { id } = (await create()).body;
    const { value: apiKey } = (await createKey(id, 'staging', { read_only: true })).body;
    expect((await call('GET', '/organizations', undefined, { apiKey })).status).toBe(200);
    expect((await call('POST', '/organizations', { name: 'Acme' }, { apiKey })).status).toBe(403);
  });

  test('of production can be created only while production is active, and is rejected while it is suspended', async () => {
    const { id } = (await create()).body;
    expect(codeOf(await createKey(id, 'production'))).toEqual([409, 'production_not_active']);
    const active = (await setState(id, 'Active')).body;
    expect([active.production_state, typeof active.production_enabled_at]).toEqual(['Active', 'string']);
    const { value: apiKey } = (await createKey(id, 'production')).body;
    await setState(id, 'Suspended');
    expect((await get(id)).body.production_state).toBe('Suspended');
    expect((await call('GET', '/organizations', undefined, { apiKey })).status).toBe(401);
    expect(codeOf(await createKey(id, 'production'))).toEqual([409, 'production_not_active']);
    await advance(10);
    const again = (await setState(id, 'Active')).body;
    expect(again.production_enabled_at).toBe(active.production_enabled_at);
    expect((await call('GET', '/organizations', undefined, { apiKey })).status).toBe(200);
  });

  test('and public clients of production are rejected while it is suspended', async () => {
    const { id } = (await create()).body;
    await setState(id, 'Active');
    const { value: apiKey } = (await createKey(id, 'production')).body;
    const client_id = (await listEnvironments(id))[1]?.client_id ?? '';
    const redirect_uri = 'https://app.acme.example/callback';
    expect((await call('POST', '/user_management/redirect_uris', { uri: redirect_uri }, { apiKey })).status).toBe(201);
    const pkce = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };
    const query = new URLSearchParams({ client_id, redirect_uri, response_type: 'code', provider: 'authkit', ...pkce });
    const refresh = { client_id, grant_type: 'refresh_token', refresh_token: 'unknown' };
    const readError = async (method: string, path: string, body?: object) => {
      const response = await call<{ error?: string; code?: string }>(method, path, body, { apiKey: null });
      return response.status < 400 ? 'accepted' : (response.body.error ?? response.body.code);
    };
    const attempts = async () => [
      await readError('GET', `/user_management/authorize?${query}`),
      await readError('POST', '/user_management/authorize/device', { client_id }),
      await readError('POST', '/user_management/authenticate', refresh),
      await readError('GET', `/user_management/${client_id}/.well-known/openid-configuration`),
    ];
    const active = await attempts();
    expect(active).toEqual(['accepted', 'accepted', 'invalid_grant', 'accepted']);
    await setState(id, 'Suspended');
    await advance(6);
    expect(await attempts()).toEqual(['invalid_client', 'invalid_client', 'invalid_client', 'not_found']);
    await setState(id, 'Active');
    await advance(6);
    expect(await attempts()).toEqual(active);
  });

  test('cannot be created if the environment has twenty', async () => {
    const { id } = (await create()).body;
    for (let at = 0; at < 20; at += 1) await createKey(id, 'staging');
    await idle();
    expect(codeOf(await createKey(id, 'staging'))).toEqual([409, 'too_many_keys']);
  });

  test('cannot be created, listed or deleted in an unknown environment, or in one that the operator has deleted', async () => {
    await environment();
    const { id } = (await create()).body;
    expect(codeOf(await createKey(id, 'preview'))).toEqual([404, 'not_found']);
    expect(codeOf(await call('GET', keysOf(id, 'preview')))).toEqual([404, 'not_found']);
    expect(codeOf(await call('DELETE', `${keysOf(id, 'preview')}/api_key_1`))).toEqual([404, 'not_found']);
    await setState(id, 'Active');
    const production = (await listEnvironments(id))[1]?.id ?? '';
    await applyWork(production, systemActor, async (unit) => {
      const current = await environments.get(production, production);
      if (current === undefined) throw new Error('The environment is gone');
      unit.stage(environments.revise(current, { deletedAt: new Date().toISOString() }).write);
    });
    expect((await get(id)).body.production_state).toBe('Deleting');
    expect(codeOf(await createKey(id, 'production'))).toEqual([409, 'environment_deleted']);
    expect(codeOf(await call('GET', keysOf(id, 'production')))).toEqual([409, 'environment_deleted']);
    const path = `${keysOf(id, 'production')}/api_key_1`;
    expect(codeOf(await call('DELETE', path))).toEqual([409, 'environment_deleted']);
    expect(codeOf(await setState(id, 'Suspended'))).toEqual([409, 'environment_deleted']);
    expect((await listEnvironments(id)).map(({ kind }) => kind)).toEqual(['staging']);
  });
});

describe('a caller', () => {
  test('whose environment is not a platform gets 403 from every operation, also with a token that has the scope', async () => {
    const apiKey = await addEnvironment(false);
    const { id } = (await create()).body;
    const team = `/x/platform/teams/${id}`;
    for (const [method, path, body] of [
      ['POST', '/platform/teams', { name: 'Eve', admin_email: 'eve@evil.example' }],
      ['GET', `/platform/teams/${id}`],
      ['GET', '/x/platform/teams'],
      ['GET', `${team}/environments`],
      ['PUT', `${team}/production_state`, { production_state: 'Active' }],
      ['POST', keysOf(id, 'staging'), {}],
      ['GET', keysOf(id, 'staging')],
      ['DELETE', `${keysOf(id, 'staging')}/api_key_1`],
    ] as const) {
      expect(codeOf(await call(method, path, body, { apiKey }))).toEqual([403, 'platform_required']);
    }
  });

  test('of another platform does not find the team, its environments or keys', async () => {
    const apiKey = await addEnvironment(true);
    const { id } = (await create()).body;
    const key = (await createKey(id, 'staging')).body;
    const team = `/x/platform/teams/${id}`;
    for (const [method, path, body] of [
      ['GET', `/platform/teams/${id}`],
      ['GET', `${team}/environments`],
      ['PUT', `${team}/production_state`, { production_state: 'Active' }],
      ['POST', keysOf(id, 'staging'), {}],
      ['GET', keysOf(id, 'staging')],
      ['DELETE', `${keysOf(id, 'staging')}/${key.id}`],
    ] as const) {
      expect(codeOf(await call(method, path, body, { apiKey }))).toEqual([404, 'team_not_found']);
    }
    expect((await call('GET', '/organizations', undefined, { apiKey: key.value })).status).toBe(200);
    // A team of the caller's own environment may have the same administrator.
    expect((await create('Acme', 'ada@acme.example', { apiKey })).status).toBe(201);
  });

  test("with a key of a team's environment gets 403, since that environment is not a platform", async () => {
    const { id } = (await create()).body;
    const { value: apiKey } = (await createKey(id, 'staging')).body;
    expect(codeOf(await create('Nested', 'eve@evil.example', { apiKey }))).toEqual([403, 'platform_required']);
  });

  test('with a token of an m2m application needs the scope, for as long as the application has it', async () => {
    const plain = await machineToken(['posts:read']);
    expect(codeOf(await create('Acme', 'ada@acme.example', { apiKey: plain.token }))).toEqual([
      403,
      'platform_required',
    ]);
    const machine = await machineToken(['platform']);
    const { status, body } = await create('Acme', 'ada@acme.example', { apiKey: machine.token });
    expect(status).toBe(201);
    expect((await get(body.id, machine.token)).status).toBe(200);
    await call('PUT', `/connect/applications/${machine.id}`, { name: 'Provisioning', scopes: [] });
    expect(codeOf(await get(body.id, machine.token))).toEqual([403, 'platform_required']);
    await call('DELETE', `/connect/applications/${machine.id}`);
    expect((await get(body.id, machine.token)).status).toBe(401);
    for (const apiKey of ['', 'eyJ', `${machine.token}x`, 'sk_env_unknown'])
      expect((await get(body.id, apiKey)).status).toBe(401);
  });
});
