import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser } from '../../support/browser.ts';
import { advance, call, reset, service } from '../../support/service.ts';
import { type App, application, bearer, make, post, readClaims, refresh, signIn, type Tokens, user } from './person.ts';

const EMAIL = 'ada@example.com';
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

interface Device {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  interval: number;
}

const start = (app: App, more: Record<string, string> = {}) =>
  post<Device & { error?: string }>('device_authorization', {
    client_id: app.clientId,
    client_secret: app.secret,
    ...more,
  });

const poll = (app: App, { device_code: code }: Pick<Device, 'device_code'>, more: Record<string, string> = {}) =>
  post<Tokens>('token', {
    grant_type: GRANT,
    client_id: app.clientId,
    client_secret: app.secret,
    device_code: code,
    ...more,
  });

/** The page on which a user who has signed in decides about a device. */
async function openDecision({ verification_uri_complete: address, user_code: code }: Device) {
  const person = browser();
  const page = await person.submit(await person.open(address), { user_code: code });
  return { person, page: await signIn(person, page, EMAIL) };
}

async function decide(device: Device, decision: 'approve' | 'deny') {
  const { person, page } = await openDecision(device);
  return person.submit(page, { do: decision });
}

beforeEach(() => reset({ calm: true }));

describe('a device of an application', () => {
  test('gets tokens once, after a page that names the application, the organization and each scope', async () => {
    const organizationId = (await make('/organizations', { name: 'Acme' })).id;
    const userId = await user(EMAIL, organizationId);
    const app = await application({ name: 'Living room' }, { secret: true });
    const { status, body: device } = await start(app, { scope: 'openid email offline_access' });
    expect([status, device.interval]).toEqual([200, 5]);
    expect((await poll(app, device)).body.error).toBe('authorization_pending');
    expect((await poll(app, device)).body.error).toBe('slow_down');
    const { person, page } = await openDecision(device);
    for (const text of ['Living room', 'Acme', 'See your email address', device.user_code]) {
      expect(page.text).toContain(text);
    }
    expect(page.text).not.toContain('See your name and picture');
    await person.submit(page, { do: 'approve' });
    await advance(11);
    const { status: granted, body } = await poll(app, device);
    expect([granted, body.scope.split(' ').sort()]).toEqual([200, ['email', 'offline_access', 'openid']]);
    expect(readClaims(body.access_token)).toMatchObject({
      sub: userId,
      org_id: organizationId,
      client_id: app.clientId,
    });
    expect((await bearer('userinfo', body.access_token)).body).toMatchObject({ sub: userId, email: EMAIL });
    expect((await refresh(app, body.refresh_token)).status).toBe(200);
    await advance(61);
    expect((await poll(app, device)).body.error).toBe('invalid_grant');
    const path = `/user_management/users/${userId}/authorized_applications`;
    const { body: listed } = await call<{ data: unknown[] }>('GET', path);
    expect(listed.data).toHaveLength(1);
    expect((await call('DELETE', `${path}/${app.id}`)).status).toBe(204);
    expect((await bearer('userinfo', body.access_token)).status).toBe(401);
  });

  test('gets no tokens after a denial, after five minutes, and when its consent or user is gone', async () => {
    const userId = await user(EMAIL);
    const app = await application();
    const denied = (await start(app)).body;
    await decide(denied, 'deny');
    expect((await poll(app, denied)).body.error).toBe('access_denied');
    const late = (await start(app)).body;
    await advance(301);
    expect((await poll(app, late)).body.error).toBe('expired_token');
    const revoked = (await start(app)).body;
    await decide(revoked, 'approve');
    const path = `/user_management/users/${userId}/authorized_applications`;
    expect((await call('DELETE', `${path}/${app.id}`)).status).toBe(204);
    expect((await poll(app, revoked)).body.error).toBe('invalid_grant');
    const orphan = (await start(app)).body;
    await decide(orphan, 'approve');
    await call('DELETE', `/user_management/users/${userId}`);
    expect((await poll(app, orphan)).body.error).toBe('invalid_grant');
  });

  test('is known to its own application only, and gives no session of the environment', async () => {
    await user(EMAIL);
    const [app, other] = [await application(), await application()];
    const device = (await start(app)).body;
    await decide(device, 'approve');
    const { clientId } = await service();
    const session = { client_id: clientId, grant_type: GRANT, device_code: device.device_code };
    const taken = await call<{ error: string }>('POST', '/user_management/authenticate', session, { apiKey: null });
    expect([taken.status, taken.body.error]).toEqual([400, 'invalid_grant']);
    expect((await poll(other, device)).body.error).toBe('invalid_grant');
    const own = await call<Device>(
      'POST',
      '/user_management/authorize/device',
      { client_id: clientId },
      { apiKey: null },
    );
    expect((await poll(app, own.body)).body.error).toBe('invalid_grant');
    expect((await poll(app, { device_code: 'device_x' })).body.error).toBe('invalid_grant');
    expect((await post<Tokens>('token', { grant_type: GRANT, client_id: app.clientId })).body.error).toBe(
      'invalid_request',
    );
    expect((await poll(app, device, { resource: 'https://mcp.example.com' })).body.error).toBe('invalid_target');
    expect((await poll(app, device)).status).toBe(200);
    await advance(61);
    expect((await poll(app, device)).body.error).toBe('invalid_grant');
  });

  test('is started by applications that the environment knows, for their scopes and registered resources', async () => {
    const app = await application({}, { secret: true });
    const registered = await post<{ client_id: string }>('register', {});
    expect(registered.status).toBeGreaterThanOrEqual(400);
    const { clientId } = await service();
    const metadata = { redirect_uris: ['https://a.example.org/c'], token_endpoint_auth_method: 'none' };
    const dynamic = await call<{ client_id: string }>('POST', `/oauth2/${clientId}/register`, metadata, {
      apiKey: null,
    });
    const unknown = { id: dynamic.body.client_id, clientId: dynamic.body.client_id };
    const responses = [
      await start(unknown),
      await start({ ...app, secret: undefined }),
      await start({ ...app, secret: 'cs_wrong' }),
      await start(app, { scope: 'nothing:here' }),
      await start(app, { resource: 'https://unknown.example.org' }),
    ];
    expect(responses.map(({ status, body }) => [status, body.error])).toEqual([
      [400, 'unauthorized_client'],
      [401, 'invalid_client'],
      [401, 'invalid_client'],
      [400, 'invalid_scope'],
      [400, 'invalid_target'],
    ]);
    expect((await call('PUT', '/x/authentication/settings', { device_flow: false })).status).toBe(200);
    expect((await start(app)).body.error).toBe('unauthorized_client');
  });
});
