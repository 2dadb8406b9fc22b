import { createPublicKey, verify } from 'node:crypto';

import { beforeEach, describe, expect, test } from '@jest/globals';
import * as client from 'openid-client';

import { advance, call, idle, reset, service } from '../../support/service.ts';

interface Token {
  access_token: string;
  expires_in: number;
  scope: string;
  error?: string;
}

const SCOPES = ['posts:read', 'posts:write'];

/** An m2m application with its secret. */
async function machine(scopes: readonly string[] = SCOPES) {
  const organizationId = (await call<{ id: string }>('POST', '/organizations', { name: 'Acme' })).body.id;
  for (const slug of scopes) await call('POST', '/authorization/permissions', { slug, name: slug });
  const body = { name: 'Sync', application_type: 'm2m', organization_id: organizationId, scopes };
  const { id, client_id: clientId } = (
    await call<{ id: string; client_id: string }>('POST', '/connect/applications', body)
  ).body;
  const { secret, id: secretId } = (
    await call<{ secret: string; id: string }>('POST', `/connect/applications/${id}/client_secrets`, {})
  ).body;
  return { id, clientId, secret, secretId, organizationId };
}

const server = async (): Promise<string> => `/user_management/${(await service()).clientId}`;

/** Sends a form to an endpoint of the server, with credentials in the form unless a header is given. */
async function post<T = Token>(endpoint: string, form: Record<string, string>, authorization?: string) {
  return call<T>('POST', `/oauth2/${(await service()).clientId}/${endpoint}`, undefined, {
    apiKey: null,
    rawBody: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...(authorization && { authorization }) },
  });
}

const grant = ({ clientId, secret }: { clientId: string; secret: string }, more: Record<string, string> = {}) =>
  post('token', { grant_type: 'client_credentials', client_id: clientId, client_secret: secret, ...more });
const introspect = (as: { clientId: string; secret: string }, token: string) =>
  post<{ active: boolean; scope?: string }>('introspection', {
    token,
    client_id: as.clientId,
    client_secret: as.secret,
  });
const readClaims = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
const basic = (id: string, secret: string): string => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

beforeEach(() => reset());

describe('the client credentials grant', () => {
  test('is used by openid-client: it discovers the endpoint, and the resource verifies the token with the published keys', async () => {
    const held = await machine();
    const { url, clientId } = await service();
    const options = { execute: [client.allowInsecureRequests], algorithm: 'oauth2' as const };
    const configuration = await client.discovery(
      new URL(`${url}${await server()}`),
      held.clientId,
      held.secret,
      undefined,
      options,
    );
    const token = await client.clientCredentialsGrant(configuration, { scope: 'posts:read' });
    expect(token).toMatchObject({ token_type: 'bearer', scope: 'posts:read', expires_in: 300 });
    expect(readClaims(token.access_token)).toMatchObject({
      iss: configuration.serverMetadata().issuer,
      aud: clientId,
      sub: held.clientId,
      client_id: held.clientId,
      org_id: held.organizationId,
      scope: 'posts:read',
    });
    const { keys } = (await (await fetch(configuration.serverMetadata().jwks_uri ?? '')).json()) as {
      keys: { kid: string }[];
    };
    const [header = '', payload = '', signature = ''] = token.access_token.split('.');
    const { kid, typ } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string; typ: string };
    const key = createPublicKey({ key: { ...keys.find((one) => one.kid === kid) }, format: 'jwk' });
    expect(typ).toBe('at+jwt');
    expect(verify('sha256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
    const sessions = (await call<{ keys: { kid: string }[] }>('GET', `/sso/jwks/${clientId}`)).body.keys;
    expect(sessions.map((one) => one.kid)).not.toContain(kid);
    const introspected = await client.tokenIntrospection(configuration, token.access_token);
    expect(introspected).toMatchObject({ active: true, client_id: held.clientId, scope: 'posts:read' });
  });

  test('grants all scopes of the application, or those that are requested', async () => {
    const held = await machine();
    expect((await grant(held)).body.scope).toBe('posts:read posts:write');
    expect((await grant(held, { scope: 'posts:write admin openid' })).body.scope).toBe('posts:write');
    expect(await grant(held, { scope: 'admin' })).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
    await call('DELETE', '/authorization/permissions/posts:write');
    expect((await grant(held)).body.scope).toBe('posts:read');
  });

  test('accepts credentials in the form or by HTTP Basic, but not both, and has the same error for all wrong credentials', async () => {
    const held = await machine();
    const other = await machine([]);
    const form = { grant_type: 'client_credentials' };
    expect((await post('token', form, basic(held.clientId, held.secret))).status).toBe(200);
    const wrong = [
      await post('token', form),
      await post('token', { ...form, client_id: held.clientId }),
      await grant({ ...held, secret: other.secret }),
      await grant({ ...held, secret: `${held.secret.slice(0, -1)}x` }),
      await grant({ ...held, clientId: (await service()).clientId }),
      await grant({ ...held, secret: (await service()).apiKey }),
    ];
    for (const { status, body } of wrong) expect([status, body.error]).toEqual([401, 'invalid_client']);
    expect(new Set(wrong.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const both = { ...form, client_id: held.clientId, client_secret: held.secret };
    const contradicting = await post('token', both, basic(held.clientId, held.secret));
    expect(contradicting).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect(contradicting.headers['www-authenticate']).toContain('Basic');
  });

  test('is rejected for a revoked secret or a deleted application from the next call on', async () => {
    const held = await machine();
    const { access_token: token } = (await grant(held)).body;
    await call('DELETE', `/connect/client_secrets/${held.secretId}`);
    expect((await grant(held)).status).toBe(401);
    const second = (await call<{ secret: string }>('POST', `/connect/applications/${held.id}/client_secrets`, {})).body;
    expect((await grant({ ...held, secret: second.secret })).status).toBe(200);
    const reader = await machine([]);
    expect((await introspect(reader, token)).body.active).toBe(true);
    await call('DELETE', `/connect/applications/${held.id}`);
    expect((await grant({ ...held, secret: second.secret })).status).toBe(401);
    expect((await introspect(reader, token)).body).toEqual({ active: false });
  });

  test('accepts only a registered resource as the audience', async () => {
    const held = await machine();
    await call('POST', '/user_management/hosted_oauth_resources', { uri: 'https://mcp.example.com/v1' });
    await call('POST', '/user_management/hosted_oauth_resources', { uri: 'https://*.tenants.example.com/' });
    const audience = async (resource: string) => {
      const { status, body } = await grant(held, { resource });
      return status === 200 ? readClaims(body.access_token).aud : body.error;
    };
    expect(await audience('https://mcp.example.com/v1')).toBe('https://mcp.example.com/v1');
    expect(await audience('https://mcp.example.com/v1/')).toBe('https://mcp.example.com/v1/');
    expect(await audience('https://acme.tenants.example.com/')).toBe('https://acme.tenants.example.com/');
    for (const other of [
      'https://mcp.example.com/v2',
      'https://mcp.example.com/v1/../v1',
      'https://user@mcp.example.com/v1',
      'https://a.b.tenants.example.com/',
      'https://*.tenants.example.com/',
      'https://evil.example',
      '😀',
    ]) {
      expect(await audience(other)).toBe('invalid_target');
    }
    await call('POST', '/user_management/hosted_oauth_resources', { uri: 'https://api.example.com/', default: true });
    expect(readClaims((await grant(held)).body.access_token).aud).toBe('https://api.example.com/');
  });

  test('is only for m2m applications, which cannot use other grants', async () => {
    const web = { name: 'Web', application_type: 'oauth', is_first_party: true };
    const { id, client_id: clientId } = (
      await call<{ id: string; client_id: string }>('POST', '/connect/applications', web)
    ).body;
    const { secret } = (await call<{ secret: string }>('POST', `/connect/applications/${id}/client_secrets`, {})).body;
    expect(await grant({ clientId, secret })).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } });
    for (const name of ['password', 'implicit', '']) {
      const response = await post('token', { grant_type: name, client_id: clientId, client_secret: secret });
      expect(response).toMatchObject({ status: 400, body: { error: 'unsupported_grant_type' } });
    }
    expect(await post('token', {})).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    const elsewhere = await call('POST', '/oauth2/client_01K0G000000000000000000009/token', {});
    expect(elsewhere).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  test('stores the last use of a secret, to the minute', async () => {
    const held = await machine();
    await grant(held);
    await idle();
    const used = async () =>
      (await call<{ last_used_at: string | null }[]>('GET', `/connect/applications/${held.id}/client_secrets`)).body[0]
        ?.last_used_at;
    const first = await used();
    expect(first).not.toBeNull();
    await grant(held);
    expect(await used()).toBe(first);
    await advance(61);
    await grant(held);
    expect(await used()).not.toBe(first);
  });
});

describe('an access token of an application', () => {
  test('is not accepted as an API key, a session token or a widget token', async () => {
    const held = await machine();
    const { access_token: token } = (await grant(held)).body;
    for (const path of ['/organizations', '/x/widgets/session', '/x/client/session']) {
      expect((await call('GET', path, undefined, { apiKey: token })).status).toBe(401);
    }
    const widget = (await call<{ token: string }>('POST', '/widgets/token', { organization_id: held.organizationId }))
      .body;
    expect((await introspect(held, widget.token)).body).toEqual({ active: false });
    expect((await introspect(held, 'nonsense')).body).toEqual({ active: false });
  });

  test('expires after the configured time', async () => {
    const held = await machine();
    await call('PUT', '/x/connect/settings', { access_token_seconds: 60 });
    const { body } = await grant(held);
    expect(body.expires_in).toBe(60);
    expect((await introspect(held, body.access_token)).body.active).toBe(true);
    await advance(61);
    expect((await introspect(held, body.access_token)).body).toEqual({ active: false });
    expect((await call('PUT', '/x/connect/settings', { access_token_seconds: 3_601 })).status).toBe(422);
  });
});
