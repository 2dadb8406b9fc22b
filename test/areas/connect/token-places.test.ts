import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, reset, service } from '../../support/service.ts';
import { check as checkCredential, configure, exchange as exchangeAssertion, register } from '../agents/registering.ts';
import * as agents from '../agents/support.ts';
import {
  application,
  bearer,
  exchange,
  make,
  newVerifier,
  PASSWORD,
  post,
  refresh,
  tokens,
  user,
  CALLBACK,
} from './person.ts';

const EMAIL = 'ada@example.com';

/** Tokens of agents, registrations, devices and requests, and access tokens that the server did not sign. */
async function furtherTokens(
  blueprintId: string,
  organizationId: string,
  access: string,
): Promise<Record<string, string>> {
  const body = { type: 'autonomous', organization_id: organizationId };
  const agent = await make<{ access_token: string; refresh_token: string }>(
    `/agents/blueprints/${blueprintId}/tokens`,
    body,
  );
  await call('POST', '/authorization/permissions', { slug: 'posts:read', name: 'Read' });
  expect((await configure()).status).toBe(200);
  const assertion = (await register()).body.identity?.assertion ?? '';
  const path = `/oauth2/${(await service()).clientId}/register`;
  const metadata = { redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' };
  const client = await call<{ registration_access_token: string }>('POST', path, metadata, { apiKey: null });
  const app = await application();
  const device = await post<{ device_code: string }>('device_authorization', { client_id: app.clientId });
  const challenge = { code_challenge: 'A'.repeat(43), code_challenge_method: 'S256', response_type: 'code' };
  const pushed = await post<{ request_uri: string }>('par', { client_id: app.clientId, ...challenge });
  const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url');
  return {
    agent: agent.access_token,
    'agent refresh': agent.refresh_token,
    'agent assertion': assertion,
    'agent registration': (await exchangeAssertion(assertion)).body.access_token,
    'client registration': client.body.registration_access_token,
    'device code': device.body.device_code,
    'pushed request': pushed.body.request_uri,
    'unsigned access': `${none}.${access.split('.')[1] ?? ''}.`,
    'access with another signature': `${access.slice(0, -20)}${'A'.repeat(20)}`,
  };
}

/** A token of each kind that the service issues, for the same user and organization where possible. */
async function everyToken() {
  const { clientId, apiKey } = await service();
  const organizationId = (await make('/organizations', { name: 'Acme' })).id;
  const userId = await user(EMAIL, organizationId);
  const app = await application({}, { secret: true });
  const machine = await make<{ id: string; client_id: string }>('/connect/applications', {
    name: 'Sync',
    application_type: 'm2m',
    organization_id: organizationId,
  });
  const { secret } = await make<{ secret: string }>(`/connect/applications/${machine.id}/client_secrets`, {});
  const held = await tokens(app, EMAIL);
  const signedIn = await make<{ access_token: string; refresh_token: string }>('/user_management/authenticate', {
    client_id: clientId,
    client_secret: apiKey,
    grant_type: 'password',
    email: EMAIL,
    password: PASSWORD,
  });
  const granted = await post('token', {
    grant_type: 'client_credentials',
    client_id: machine.client_id,
    client_secret: secret,
  });
  const member = { user_id: userId, organization_id: organizationId };
  const blueprintId = await agents.newBlueprint();
  const all: Readonly<Record<string, string>> = {
    access: held.access_token,
    identity: held.id_token ?? '',
    refresh: held.refresh_token ?? '',
    machine: granted.body.access_token,
    session: signedIn.access_token,
    'session refresh': signedIn.refresh_token,
    widget: (await make<{ token: string }>('/widgets/token', member)).token,
    client: (await make<{ token: string }>('/client/token', member)).token,
    'client secret': app.secret ?? '',
    'API key': apiKey,
    "organization's API key": (
      await make<{ value: string }>(`/organizations/${organizationId}/api_keys`, { name: 'Sync' })
    ).value,
    ...(await furtherTokens(blueprintId, organizationId, held.access_token)),
  };
  return { app, all, blueprintId };
}

/** The kinds of tokens that an endpoint accepts. */
async function acceptedKinds(all: Readonly<Record<string, string>>, accepts: (token: string) => Promise<boolean>) {
  const kinds: string[] = [];
  for (const [kind, token] of Object.entries(all)) if (await accepts(token)) kinds.push(kind);
  return kinds;
}

beforeEach(() => reset({ calm: true }));

describe('each kind of token', () => {
  test('is accepted only by the endpoints for its kind', async () => {
    const { app, all, blueprintId } = await everyToken();
    expect(Object.values(all).filter((token) => typeof token !== 'string' || token === '')).toEqual([]);
    const isBearer = (path: string) => async (token: string) =>
      (await call('GET', path, undefined, { apiKey: null, headers: { authorization: `Bearer ${token}` } })).status ===
      200;
    const places: Readonly<Record<string, (token: string) => Promise<boolean>>> = {
      userinfo: async (token) => (await bearer('userinfo', token)).status === 200,
      introspection: async (token) => {
        const form = { token, client_id: app.clientId, client_secret: app.secret };
        return (await post<{ active: boolean }>('introspection', form)).body.active;
      },
      'the API': isBearer('/organizations'),
      'widget session': isBearer('/x/widgets/session'),
      'client session': isBearer('/x/client/session'),
      'the code of an application': async (token) => (await exchange(app, token, newVerifier())).status === 200,
      'a client assertion': async (token) => {
        const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
        const form = { grant_type: 'client_credentials', client_assertion_type: type, client_assertion: token };
        return (await post('token', form)).status === 200;
      },
      'the assertion of an agent': async (token) => (await exchangeAssertion(token)).status === 200,
      'the registration of a client': async (token) => {
        const path = `/oauth2/${(await service()).clientId}/register/${app.clientId}`;
        const headers = { authorization: `Bearer ${token}` };
        return (await call('GET', path, undefined, { apiKey: null, headers })).status === 200;
      },
      'a logout': async (token) => {
        const hint = new URLSearchParams({ id_token_hint: token });
        const path = `/oauth2/${(await service()).clientId}/end_session?${hint.toString()}`;
        return (await call('GET', path, undefined, { apiKey: null })).status === 302;
      },
      'the refresh of a session': async (token) => {
        const { clientId, apiKey } = await service();
        const body = { client_id: clientId, client_secret: apiKey, grant_type: 'refresh_token', refresh_token: token };
        return (await call('POST', '/user_management/authenticate', body, { apiKey: null })).status === 200;
      },
      'the refresh of an application': async (token) => (await refresh(app, token)).status === 200,
      'the validation of an agent': async (token) => (await agents.validate(blueprintId, token)).status === 200,
      'the parent of an agent': async (token) => (await agents.pass(blueprintId, token)).status === 200,
      'the user of an agent': async (token) => (await agents.delegate(blueprintId, { token })).status === 200,
      'the subject of an exchange': async (token) => {
        const { clientId, apiKey } = await service();
        const form = {
          grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
          ...{ client_id: clientId, client_secret: apiKey, audience: blueprintId },
          ...{ subject_token: token, subject_token_type: 'urn:ietf:params:oauth:token-type:access_token' },
        };
        return (await post('token', form)).status === 200;
      },
      'the refresh of an agent': async (token) => (await agents.refresh(blueprintId, token)).status === 200,
      'a credential of a registration': async (token) => (await checkCredential('access_token', token)).valid,
      'an API key of a registration': async (token) => (await checkCredential('api_key', token)).valid,
      'the validation of an API key': async (token) => {
        const { body } = await call<{ api_key: unknown }>('POST', '/api_keys/validations', { value: token });
        return body.api_key !== null && body.api_key !== undefined;
      },
      'an SSO profile': isBearer('/sso/profile'),
    };
    const table: Record<string, string[]> = {};
    for (const [place, accepts] of Object.entries(places)) table[place] = await acceptedKinds(all, accepts);
    expect(table).toEqual({
      userinfo: ['access'],
      introspection: ['access', 'machine'],
      'the API': ['API key'],
      'widget session': ['widget'],
      'client session': ['client'],
      'the code of an application': [],
      'a client assertion': [],
      'the assertion of an agent': ['agent assertion'],
      'the registration of a client': [],
      'a logout': ['identity'],
      'the refresh of a session': ['session refresh'],
      'the refresh of an application': ['refresh'],
      'the validation of an agent': ['agent'],
      'the parent of an agent': ['agent'],
      'the user of an agent': ['session'],
      'the subject of an exchange': ['session', 'agent'],
      'the refresh of an agent': ['agent refresh'],
      'a credential of a registration': ['agent registration'],
      'an API key of a registration': [],
      'the validation of an API key': ["organization's API key"],
      'an SSO profile': [],
    });
  });

  test('is described by metadata of its server, which are the same document at three addresses', async () => {
    const { clientId } = await service();
    const paths = [
      `/.well-known/oauth-authorization-server/user_management/${clientId}`,
      `/.well-known/openid-configuration/user_management/${clientId}`,
      `/user_management/${clientId}/.well-known/openid-configuration`,
    ];
    const documents = await Promise.all(paths.map(async (path) => call('GET', path, undefined, { apiKey: null })));
    expect(documents.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(documents.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  test('works at the root endpoints too, where the client in the request determines the environment', async () => {
    const { clientId } = await service();
    const { app, all } = await everyToken();
    const at = async (name: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
      call<Record<string, unknown>>('POST', `/oauth2/${name}`, undefined, {
        apiKey: null,
        rawBody: new URLSearchParams(form).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      });
    const inForm = { client_id: app.clientId, client_secret: app.secret ?? '' };
    const basic = { authorization: `Basic ${Buffer.from(`${app.clientId}:${app.secret ?? ''}`).toString('base64')}` };
    const holder = { authorization: `Bearer ${all.access ?? ''}` };
    const refreshing = { grant_type: 'refresh_token', refresh_token: all.refresh ?? '' };
    expect((await at('token', { ...inForm, ...refreshing })).status).toBe(200);
    expect((await at('introspection', { token: all.access ?? '' }, basic)).body.active).toBe(true);
    const named = await call('GET', '/oauth2/userinfo', undefined, { apiKey: null, headers: holder });
    expect([named.status, (await at('userinfo', {}, holder)).status]).toEqual([200, 200]);
    expect((await at('userinfo', { access_token: all.access ?? '' })).status).toBe(200);
    expect((await at('userinfo', { access_token: all.access ?? '' }, holder)).status).toBe(401);
    const pushed = { code_challenge: 'A'.repeat(43), code_challenge_method: 'S256', response_type: 'code' };
    const { status, body } = await at('par', { ...pushed, ...inForm });
    expect(status).toBe(201);
    const asked = new URLSearchParams({ client_id: app.clientId, request_uri: String(body.request_uri) });
    const started = await call('GET', `/oauth2/authorize?${asked.toString()}`, undefined, { apiKey: null });
    expect([started.status, started.headers.location]).toEqual([302, expect.stringContaining('/hosted/sign-in?flow=')]);
    const byForm = await at('authorize', Object.fromEntries(asked));
    expect([byForm.status, byForm.headers.location]).toEqual([302, expect.stringContaining('/hosted/sign-in?flow=')]);
    const hint = new URLSearchParams({ id_token_hint: all.identity ?? '' });
    expect((await call('GET', `/oauth2/end_session?${hint.toString()}`, undefined, { apiKey: null })).status).toBe(302);
    const keys = async (query: string) => call<{ keys: unknown[] }>('GET', query, undefined, { apiKey: null });
    const own = await keys(`/oauth2/${clientId}/jwks`);
    for (const id of [clientId, app.clientId])
      expect((await keys(`/oauth2/jwks?client_id=${id}`)).body).toEqual(own.body);
    expect((await at('revocation', { token: all.access ?? '', ...inForm })).status).toBe(200);
    expect((await at('introspection', { token: all.access ?? '', ...inForm })).body.active).toBe(false);
    expect((await keys('/oauth2/jwks?client_id=client_01K0000000000000000000000X')).status).toBe(404);
    expect((await at('token', { grant_type: 'client_credentials' })).status).toBe(401);
    expect((await at('register', { redirect_uris: 'https://a.example.org' })).status).toBe(404);
    expect((await call('DELETE', `/connect/applications/${app.id}`)).status).toBe(204);
    expect((await at('token', { ...inForm, ...refreshing })).status).toBe(401);
  });
});
