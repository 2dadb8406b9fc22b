import { beforeEach, describe, expect, test } from '@jest/globals';

import { environmentIdOf } from '../../../functions/kernel/authentication/api-key.ts';
import { readUlid } from '../../../functions/kernel/id-format.ts';
import { findSession } from '../../../functions/tenancy/sessions/session/find.ts';
import { advance, call, reset, service } from '../../support/service.ts';
import { addUser } from '../../support/users.ts';
import {
  authorizeUrl,
  exchange,
  isAtApplication,
  makeUser,
  newPerson,
  PASSWORD,
  readSessionId,
} from '../pages/application.ts';
import { open } from './inside.ts';

const APP = 'https://app.example.com/signed-out';

let environmentId: string;

beforeEach(async () => {
  await reset();
  environmentId = environmentIdOf(readUlid((await service()).clientId));
  // Points this process's kernel to the service's table.
  await addUser();
});

const logout = (query: Record<string, string>) =>
  call<string>('GET', `/user_management/sessions/logout?${new URLSearchParams(query).toString()}`, undefined, {
    apiKey: null,
  });
const register = (uri: string) => call('POST', '/user_management/redirect_uris', { uri });

describe('a logout', () => {
  test('ends the session with the given id, and redirects to a registered address', async () => {
    await register(APP);
    const { session } = await open(environmentId);
    const response = await logout({ session_id: session.id, return_to: APP });
    expect(response).toMatchObject({ status: 302, headers: { location: APP } });
    expect((await findSession(session.id))?.endedAt).toBeDefined();
    // A repeated logout, and one of an unknown session, have the same response.
    for (const id of [session.id, 'session_01K0G000000000000000000009', 'nonsense', 'session_#record']) {
      expect(await logout({ session_id: id, return_to: APP })).toMatchObject({
        status: 302,
        headers: { location: APP },
      });
    }
  });

  test('does not redirect to an unregistered address, but ends the session', async () => {
    await register(APP);
    for (const to of [
      'https://attacker.example/',
      'https://app.example.com.attacker.example/signed-out',
      'https://app.example.com@attacker.example/signed-out',
      'https://app.example.com:8443/signed-out',
      'https://app.example.com/signed-out/../x',
      'https://app.example.com\\@attacker.example/signed-out',
      'https://APP.example.com/signed-out',
      `${APP}?x=1`,
      `${APP}#x`,
      '//attacker.example',
      'javascript:alert(1)',
      'signed-out',
    ]) {
      const { session } = await open(environmentId);
      const response = await logout({ session_id: session.id, return_to: to });
      expect(response.status).toBe(422);
      expect(response.headers).not.toHaveProperty('location');
      expect((await findSession(session.id))?.endedAt).toBeDefined();
    }
  });

  test('without an address redirects to the environment’s default, or shows a page if there is none', async () => {
    const { session } = await open(environmentId);
    const leave = await logout({ session_id: session.id });
    expect(leave.status).toBe(302);
    const page = await call<string>('GET', leave.headers.location ?? '');
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(page.body).toContain('You are signed out');
    await register('https://app.example.com/callback');
    expect((await logout({ session_id: session.id })).headers.location).toBe('https://app.example.com/callback');
    const settings = await call('PUT', '/x/sessions/settings', { logout_uri: 'https://example.com/' });
    expect(settings.status).toBe(200);
    expect((await logout({ session_id: session.id })).headers.location).toBe('https://example.com/');
    expect(await logout({ session_id: session.id, return_to: 'https://example.com/' })).toMatchObject({ status: 302 });
  });

  test('signs the browser out of the hosted pages, even if the session had expired', async () => {
    const person = await newPerson();
    await makeUser('ada@example.com');
    await call('PUT', '/x/sessions/settings', { inactivity_seconds: 300 });
    const opened = async () => person.open(await authorizeUrl());
    const asked = await person.submit(await opened(), { email: 'ada@example.com' });
    const signedIn = await exchange((await person.submit(asked, { password: PASSWORD })).url);
    await advance(301);
    expect(isAtApplication(await opened())).toBe(true);
    await logout({ session_id: readSessionId(signedIn) });
    expect(isAtApplication(await opened())).toBe(false);
  });

  test('requires a session id', async () => {
    expect((await logout({})).status).toBe(422);
    expect((await logout({ session_id: '' })).status).toBe(422);
    expect((await logout({ session_id: 'x'.repeat(500) })).status).toBe(422);
  });
});

test('session settings reject values that would break sign-in or logout', async () => {
  for (const bad of [
    { max_sessions: 21 },
    { max_sessions: 0 },
    { access_token_seconds: 3_601 },
    { max_lifetime_seconds: 1 },
    { inactivity_seconds: 1 },
    { logout_uri: 'javascript:alert(1)' },
    { logout_uri: '//example.com' },
  ]) {
    expect((await call('PUT', '/x/sessions/settings', bad)).status).toBe(422);
  }
});
