import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser } from '../../support/browser.ts';
import { advance, call, idle, reset } from '../../support/service.ts';
import {
  application,
  authorize,
  authorizeUrl,
  bearer,
  decide,
  exchange,
  isConsent,
  make,
  newVerifier,
  post,
  readClaims,
  received,
  refresh,
  signIn,
  tokens,
  user,
} from './person.ts';

const EMAIL = 'ada@example.com';

interface Authorized {
  data: {
    id: string;
    granted_scopes: string[];
    oauth_resource?: string;
    application: { id: string };
    user_id?: string;
  }[];
}

beforeEach(() => reset({ calm: true }));

describe('a refresh token of an application', () => {
  test('is replaced at each use: parallel uses get the same successor, and a late use revokes the authorization', async () => {
    await user(EMAIL);
    const app = await application({}, { secret: true });
    const first = await tokens(app, EMAIL);
    const parallel = await Promise.all(Array.from({ length: 20 }, () => refresh(app, first.refresh_token)));
    expect(new Set(parallel.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(parallel.map(({ body }) => body.refresh_token)).size).toBe(1);
    const successor = parallel[0]?.body.refresh_token;
    expect(readClaims(parallel[0]?.body.id_token ?? '').sub).toBe(readClaims(first.id_token ?? '').sub);
    const third = await refresh(app, successor);
    expect(third.status).toBe(200);
    await advance(121);
    expect((await refresh(app, first.refresh_token)).body.error).toBe('invalid_grant');
    expect((await refresh(app, third.body.refresh_token)).body.error).toBe('invalid_grant');
    expect((await bearer('userinfo', third.body.access_token)).status).toBe(401);
  });

  test('is issued only for offline_access, and can request fewer scopes but never more', async () => {
    await user(EMAIL);
    const app = await application();
    expect((await tokens(app, EMAIL, { query: { scope: 'openid' } })).refresh_token).toBeUndefined();
    const whole = await tokens(app, EMAIL, { query: { scope: 'openid email offline_access' } });
    expect((await refresh(app, whole.refresh_token, { scope: 'openid' })).body.scope).toBe('openid');
    const more = await refresh(app, whole.refresh_token, { scope: 'openid profile' });
    expect(more.body.error).toBe('invalid_scope');
  });

  test('is valid for its own application only, and expires without use and at the end of its lifetime', async () => {
    await user(EMAIL);
    const [app, other] = [await application(), await application()];
    const { refresh_token: token } = await tokens(app, EMAIL);
    expect((await refresh(other, token)).body.error).toBe('invalid_grant');
    expect((await refresh(app, `${token ?? ''}x`)).body.error).toBe('invalid_grant');
    expect((await refresh(app, undefined)).body.error).toBe('invalid_request');
    await call('PUT', '/x/connect/settings', {
      refresh_token_idle_seconds: 600,
      refresh_token_lifetime_seconds: 1_000,
    });
    const short = await tokens(app, EMAIL);
    await advance(599);
    const next = await refresh(app, short.refresh_token);
    expect(next.status).toBe(200);
    await advance(402);
    expect((await refresh(app, next.body.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('is revoked by its own application, together with the access tokens', async () => {
    await user(EMAIL);
    const [app, other] = [await application({}, { secret: true }), await application({}, { secret: true })];
    const first = await tokens(app, EMAIL);
    const as = ({ clientId, secret }: typeof app) => ({ client_id: clientId, client_secret: secret });
    for (const token of [first.refresh_token, first.access_token, 'unknown']) {
      expect((await post('revocation', { token, ...as(other) })).status).toBe(200);
    }
    expect((await bearer('userinfo', first.access_token)).status).toBe(200);
    expect((await post('revocation', { token: first.refresh_token })).status).toBe(401);
    expect((await post('revocation', { token: first.access_token, ...as(app) })).status).toBe(200);
    expect((await bearer('userinfo', first.access_token)).status).toBe(401);
    expect((await refresh(app, first.refresh_token)).body.error).toBe('invalid_grant');
    const introspected = await post<{ active: boolean }>('introspection', { token: first.access_token, ...as(app) });
    expect(introspected.body).toEqual({ active: false });
  });
});

describe('the tokens of an authorization', () => {
  test.each([
    ['deleting the user', (ids: Ids) => `/user_management/users/${ids.userId}`],
    ['deleting the membership', (ids: Ids) => `/user_management/organization_memberships/${ids.membershipId}`],
    ['deleting the application', (ids: Ids) => `/connect/applications/${ids.appId}`],
    ['deleting the consent', (ids: Ids) => `/user_management/users/${ids.userId}/authorized_applications/${ids.appId}`],
  ])('are rejected from the next call on after %s', async (_what, path) => {
    const organizationId = (await make('/organizations', { name: 'Acme' })).id;
    const userId = await user(EMAIL, organizationId);
    const app = await application();
    const held = await tokens(app, EMAIL);
    const memberships = await call<{ data: { id: string }[] }>(
      'GET',
      `/user_management/organization_memberships?user_id=${userId}`,
    );
    const ids = { userId, appId: app.id, membershipId: memberships.body.data[0]?.id ?? '' };
    expect((await bearer('userinfo', held.access_token)).status).toBe(200);
    expect((await call('DELETE', path(ids))).status).toBeLessThan(300);
    expect((await bearer('userinfo', held.access_token)).status).toBe(401);
    expect((await refresh(app, held.refresh_token)).status).toBeGreaterThanOrEqual(400);
  });

  test('are not issued for a code whose consent was deleted before the exchange', async () => {
    const userId = await user(EMAIL);
    const app = await application();
    const verifier = newVerifier();
    const { code } = await authorize(app, { email: EMAIL, verifier });
    await call('DELETE', `/user_management/users/${userId}/authorized_applications/${app.clientId}`);
    expect((await exchange(app, code, verifier)).body.error).toBe('invalid_grant');
  });
});

interface Ids {
  userId: string;
  appId: string;
  membershipId: string;
}

describe('authorized applications', () => {
  test('are listed for the user and for the organization, by resource, and can be deleted', async () => {
    const organizationId = (await make('/organizations', { name: 'Acme' })).id;
    const userId = await user(EMAIL, organizationId);
    const resource = 'https://mcp.example.com';
    const { id: resourceId } = await make('/user_management/hosted_oauth_resources', { uri: resource });
    const app = await application();
    const plain = await tokens(app, EMAIL);
    const named = await tokens(app, EMAIL, { query: { resource, scope: 'openid offline_access' } });
    expect(readClaims(named.access_token).aud).toBe(resource);
    expect((await bearer('userinfo', named.access_token)).status).toBe(401);
    const ofUser = `/user_management/users/${userId}/authorized_applications`;
    const listed = (await call<Authorized>('GET', ofUser)).body.data;
    expect(listed.map(({ id }) => id).toSorted()).toEqual(
      [readClaims(plain.access_token).sid, readClaims(named.access_token).sid].toSorted(),
    );
    expect(listed.map(({ oauth_resource: uri }) => uri).toSorted()).toEqual([resource, undefined]);
    await idle();
    const ofOrganization = (await call<Authorized>('GET', `/organizations/${organizationId}/authorized_applications`))
      .body;
    expect(ofOrganization.data.map(({ user_id: id }) => id)).toEqual([userId, userId]);
    await call('DELETE', `/user_management/hosted_oauth_resources/${resourceId}`);
    expect((await refresh(app, named.refresh_token)).body.error).toBe('invalid_target');
    expect((await call<Authorized>('GET', ofUser)).body.data).toHaveLength(1);
    expect((await call('DELETE', `${ofUser}/${app.id}`)).status).toBe(204);
    expect((await call<Authorized>('GET', ofUser)).body.data).toEqual([]);
    expect((await call('DELETE', `${ofUser}/${app.id}`)).status).toBe(404);
  });

  test('for a resource end with it, and do not return when its URI is registered again', async () => {
    const userId = await user(EMAIL);
    const uri = 'https://mcp.example.com';
    const { id } = await make('/user_management/hosted_oauth_resources', { uri });
    const app = await application({}, { secret: true });
    const query = { resource: uri, scope: 'openid offline_access' };
    const former = await tokens(app, EMAIL, { query });
    const states = async () => {
      const credentials = { client_id: app.clientId, client_secret: app.secret };
      const introspected = await post<{ active: boolean }>('introspection', {
        token: former.access_token,
        ...credentials,
      });
      const { body } = await call<Authorized>('GET', `/user_management/users/${userId}/authorized_applications`);
      return [introspected.body.active, body.data.length];
    };
    expect(await states()).toEqual([true, 1]);
    await call('DELETE', `/user_management/hosted_oauth_resources/${id}`);
    expect(await states()).toEqual([false, 0]);
    await advance(1);
    await make('/user_management/hosted_oauth_resources', { uri });
    expect(await states()).toEqual([false, 0]);
    expect((await refresh(app, former.refresh_token)).body.error).toBe('invalid_target');
    const person = browser();
    const asked = await signIn(person, await person.open(await authorizeUrl(app, newVerifier(), query)), EMAIL);
    expect(isConsent(asked)).toBe(true);
    expect(received(await decide(person, asked, 'approve')).code).toEqual(expect.any(String));
    expect(await states()).toEqual([false, 1]);
  });
});
