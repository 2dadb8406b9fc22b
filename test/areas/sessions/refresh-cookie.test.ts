import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { makeClientId } from '../../../functions/kernel/authentication/api-key.ts';
import { forgetSettings } from '../../../functions/kernel/settings.ts';
import { type Inside, open, openInside } from './inside.ts';

const ORIGIN = 'https://app.example.com';

let inside: Inside;
let userId: string;

beforeAll(async () => {
  inside = await openInside();
  process.env.GATEHOUSE_REGISTRABLE_DOMAIN = 'example.com';
  forgetSettings();
  const api = inside.target.apiWith(inside.target.keys.here);
  await api.create('/user_management/cors_origins', { origin: ORIGIN });
  userId = String((await api.create('/user_management/users', { email: 'ada@example.com' })).id);
});
afterAll(async () => {
  delete process.env.GATEHOUSE_REGISTRABLE_DOMAIN;
  await inside.stop();
});

const refresh = (cookie: string) =>
  inside.target.send('POST', '/user_management/authenticate', {
    headers: { origin: ORIGIN, 'content-type': 'application/json; charset=utf-8', cookie },
    body: JSON.stringify({ client_id: makeClientId(inside.here), grant_type: 'refresh_token' }),
  });

describe('a service that is reached by https', () => {
  test('has `__Host-` cookies for refresh tokens, one for each client id, and the readable cookie on the shared domain', async () => {
    const { refreshToken } = await open(inside.here, { client: 'public', userId });
    const name = `__Host-gatehouse_refresh_${inside.here.slice(-16)}`;
    const refreshed = await refresh(`other=1; ${name}=${refreshToken}`);
    const successor = (refreshed.json as { refresh_token: string }).refresh_token;
    expect(refreshed.cookies).toEqual([
      expect.stringMatching(`^${name}=${successor}; Path=/; Max-Age=\\d+; HttpOnly; SameSite=Strict; Secure$`),
      `workos-has-session=${makeClientId(inside.here)}; Path=/; Max-Age=31536000; SameSite=Lax; Domain=example.com; Secure`,
    ]);
    expect(refreshed.headers['access-control-allow-credentials']).toBe('true');
    expect(refreshed.headers).not.toHaveProperty('set-cookie');
  });

  test('does not read a cookie that another host of the domain could have set', async () => {
    const { refreshToken } = await open(inside.here, { client: 'public', userId });
    const planted = await refresh(`gatehouse_refresh_${inside.here.slice(-16)}=${refreshToken}`);
    expect(planted).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
  });

  test('does not let a page refresh a session of a back end or of another environment', async () => {
    const name = `__Host-gatehouse_refresh_${inside.here.slice(-16)}`;
    for (const { refreshToken } of [
      await open(inside.here, { client: 'confidential', userId }),
      await open(inside.there, { client: 'public', userId }),
    ]) {
      expect(await refresh(`${name}=${refreshToken}`)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
    }
  });
});
