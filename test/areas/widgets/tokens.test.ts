import { beforeEach, describe, expect, test } from '@jest/globals';

import { recordingFetch } from '../../support/declarations/record.ts';
import { advance, call, reset, sdk, service } from '../../support/service.ts';
import { addMembership, addUser } from '../../support/users.ts';

const organization = async (name = 'Acme'): Promise<string> =>
  (await call<{ id: string }>('POST', '/organizations', { name })).body.id;

/** An active member whose role has the named permissions. */
async function member(...permissions: string[]) {
  const [userId, organizationId] = [await addUser(), await organization()];
  const membershipId = await addMembership(userId, organizationId, 'active');
  if (permissions.length > 0) {
    await call('POST', '/authorization/roles', { slug: 'manager', name: 'Manager' });
    await call('PUT', '/authorization/roles/manager/permissions', { permissions });
    await call('PUT', `/user_management/organization_memberships/${membershipId}`, { role_slug: 'manager' });
  }
  return { userId, organizationId, membershipId, body: { user_id: userId, organization_id: organizationId } };
}

const widgetToken = (body: object) => call<{ token: string }>('POST', '/widgets/token', body);
const clientToken = (body: object) => call<{ token: string }>('POST', '/client/token', body);
const readClaims = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

/** Calls an operation with a token instead of an API key. */
async function withToken(path: string, token: string) {
  const { url } = await service();
  const response = await recordingFetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const TWO = ['widgets:sso:manage', 'widgets:users-table:manage'] as const;

beforeEach(() => reset());

describe('a token of a widget', () => {
  test('has only those requested scopes that the user may use', async () => {
    const { body, userId, organizationId } = await member(...TWO);
    const token = await sdk().widgets.createToken({
      userId,
      organizationId,
      scopes: ['widgets:users-table:manage', 'widgets:pipes:manage' as 'widgets:sso:manage', 'widgets:sso:manage'],
    });
    const claims = readClaims(token.token);
    expect(claims).toMatchObject({ sub: userId, org_id: organizationId, scope: [...TWO].reverse().join(' ') });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(3_600);
    const { status, body: session } = await withToken('/x/widgets/session', token.token);
    expect({ status, session }).toMatchObject({
      status: 200,
      session: { object: 'widget_session', ...body, scopes: [...TWO].reverse() },
    });
  });

  test('loses a scope from the next request on when the role loses the permission', async () => {
    const { body } = await member(...TWO);
    const { token } = (await widgetToken({ ...body, scopes: [...TWO] })).body;
    await call('PUT', '/authorization/roles/manager/permissions', { permissions: [TWO[0]] });
    expect((await withToken('/x/widgets/session', token)).body.scopes).toEqual([TWO[0]]);
  });

  test('is invalid after the membership, the user or the organization was deleted', async () => {
    for (const end of [
      ({ membershipId }: { membershipId: string }) =>
        call('PUT', `/user_management/organization_memberships/${membershipId}/deactivate`),
      ({ userId }: { userId: string }) => call('DELETE', `/user_management/users/${userId}`),
      ({ organizationId }: { organizationId: string }) => call('DELETE', `/organizations/${organizationId}`),
    ]) {
      const held = await member();
      const tokens = [(await widgetToken(held.body)).body.token, (await clientToken(held.body)).body.token];
      await end(held);
      for (const [at, path] of ['/x/widgets/session', '/x/client/session'].entries()) {
        expect(await withToken(path, tokens[at] ?? '')).toMatchObject({ status: 404, body: { code: 'session_ended' } });
      }
    }
  });

  test('of an organization without a user has all requested scopes', async () => {
    const organizationId = await organization();
    const { token } = (await widgetToken({ organization_id: organizationId, scopes: [...TWO] })).body;
    expect((await withToken('/x/widgets/session', token)).body).toMatchObject({
      user_id: null,
      organization_id: organizationId,
      scopes: [...TWO].reverse(),
    });
  });

  test('of a user without an organization has no scopes', async () => {
    const userId = await addUser();
    const { token } = (await widgetToken({ user_id: userId })).body;
    expect((await withToken('/x/widgets/session', token)).body).toMatchObject({
      user_id: userId,
      organization_id: null,
      scopes: [],
    });
  });

  test('cannot have scopes without an organization, and the error message is a list', async () => {
    const { status, body } = await widgetToken({ user_id: await addUser(), scopes: [...TWO] });
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        code: 'organization_required',
        message: [expect.stringContaining('organization_id')],
        error: 'Bad Request',
      },
    });
  });

  test('is rejected if no scope is left, without a user and organization, and for an unknown scope', async () => {
    const { body } = await member();
    expect(await widgetToken({ ...body, scopes: [...TWO] })).toMatchObject({
      status: 422,
      body: { code: 'scopes_not_permitted' },
    });
    for (const wrong of [{}, { ...body, scopes: ['*'] }, { ...body, scopes: ['widgets:users-table:manage\uFFFF'] }]) {
      expect((await widgetToken(wrong)).status).toBe(422);
    }
  });

  test('requires an active member of this environment', async () => {
    const [userId, organizationId] = [await addUser(), await organization()];
    const unknown = { user_id: 'user_01K0G000000000000000000009', organization_id: 'org_01K0G000000000000000000009' };
    for (const create of [widgetToken, clientToken]) {
      const stranger = await create({ user_id: userId, organization_id: organizationId });
      expect(stranger).toMatchObject({ status: 422, body: { code: 'user_not_in_organization' } });
      expect((await create({ ...unknown, user_id: userId })).status).toBe(404);
      expect((await create({ ...unknown, organization_id: organizationId })).status).toBe(404);
    }
    const inactive = await addMembership(userId, organizationId, 'inactive');
    expect(inactive).toMatch(/^om_/);
    expect((await clientToken({ user_id: userId, organization_id: organizationId })).status).toBe(422);
  });

  test('expires: after an hour for a widget, after ten minutes for the client API', async () => {
    const { body } = await member();
    const [widget, client] = [(await widgetToken(body)).body.token, (await clientToken(body)).body.token];
    await advance(590);
    expect((await withToken('/x/client/session', client)).status).toBe(200);
    await advance(11);
    expect((await withToken('/x/client/session', client)).status).toBe(401);
    await advance(2_990);
    expect((await withToken('/x/widgets/session', widget)).status).toBe(200);
    await advance(10);
    expect((await withToken('/x/widgets/session', widget)).status).toBe(401);
  });
});

describe('an operation that accepts widget tokens', () => {
  test('rejects every other kind of token, an API key and a changed token', async () => {
    const { body } = await member(...TWO);
    const [widget, client] = [(await widgetToken(body)).body.token, (await clientToken(body)).body.token];
    const { apiKey } = await service();
    const [header = '', payload = '', signature = ''] = widget.split('.');
    const changed = Buffer.from(JSON.stringify({ ...readClaims(widget), scope: 'widgets:dsync:manage' })).toString(
      'base64url',
    );
    for (const wrong of [client, apiKey, '', 'a.b.c', `${header}.${changed}.${signature}`, `${header}.${payload}.`]) {
      expect((await withToken('/x/widgets/session', wrong)).status).toBe(401);
    }
    expect((await withToken('/x/client/session', widget)).status).toBe(401);
    for (const token of [widget, client]) expect((await withToken('/organizations', token)).status).toBe(401);
  });

  test('can be called by pages of registered origins with the Authorization header', async () => {
    const { url, clientId } = await service();
    const origin = 'https://app.example.com';
    await call('POST', '/user_management/cors_origins', { origin });
    const ask = (path: string) =>
      fetch(`${url}${path}?client_id=${clientId}`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'authorization, cookie',
        },
      });
    const allowed = await ask('/x/client/session');
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-headers')).toBe('authorization');
    expect((await ask(`/sso/jwks/${clientId}`)).headers.get('access-control-allow-headers')).toBeNull();
  });
});
