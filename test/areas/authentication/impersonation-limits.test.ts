import { beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';

import { removeOperator, takeRole } from '../../../functions/faces/console/public.ts';
import { browser } from '../../support/browser.ts';
import { openAccount } from '../../support/account.ts';
import { openPath } from '../../support/console.ts';
import { consolePath } from '../../support/console-pages.ts';
import { enrolOperator, signInOperator } from '../../support/operators.ts';
import { newOrganization } from '../../support/organizations.ts';
import { advance, call, reset } from '../../support/service.ts';
import { addMembership, addUser } from '../../support/users.ts';
import { delegate, newBlueprint } from '../agents/support.ts';
import { addOperator, allow, exchange, listSessions, openAs, OPERATOR, refresh } from './impersonating.ts';
import { environment, makeUser, PASSWORD, registerRedirectUri } from './inside.ts';

let eve: string;
let ada: string;

beforeEach(async () => {
  await reset({ calm: true });
  await environment();
  await registerRedirectUri();
  await allow();
  eve = await addOperator();
  ada = await makeUser({ email: 'ada@acme.example', emailVerified: true });
});

const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };

describe('a session of an impersonator ends', () => {
  test('within an hour, however often it is refreshed and whatever the settings of sessions are', async () => {
    let { refresh_token: token } = await openAs(ada, eve);
    for (let minutes = 10; minutes < 60; minutes += 10) {
      await advance(600);
      const refreshed = await refresh(token);
      expect(refreshed).toMatchObject({ status: 200, body: { impersonator: { email: OPERATOR } } });
      token = refreshed.body.refresh_token;
    }
    await advance(600);
    expect(await refresh(token)).toMatchObject(invalidGrant);
    expect(await listSessions(ada)).toEqual([]);
  });

  test('with the setting, at its next refresh, with the event of its end', async () => {
    const { refresh_token: token } = await openAs(ada, eve);
    await allow({ enabled: false });
    expect(await refresh(token)).toMatchObject(invalidGrant);
    expect(await listSessions(ada)).toEqual([]);
    await allow();
    expect(await refresh(token)).toMatchObject(invalidGrant);
    await advance(1);
    const { body } = await call<{ data: { data: object }[] }>('GET', '/events?events=session.revoked');
    expect(body.data.at(-1)).toMatchObject({ data: { user_id: ada, impersonator: { email: OPERATOR } } });
  });

  test('with the role of the operator, and with the operator', async () => {
    await addOperator('last@gatehouse.example', 'owner');
    const first = await openAs(ada, eve);
    await takeRole(OPERATOR, 'admin');
    expect(await refresh(first.refresh_token)).toMatchObject(invalidGrant);
    const frank = await addOperator('frank@gatehouse.example');
    const second = await openAs(ada, frank);
    await removeOperator('frank@gatehouse.example');
    expect(await refresh(second.refresh_token)).toMatchObject(invalidGrant);
  });

  test('by signing out of the application, which leaves the user signed in', async () => {
    const { access_token: token, refresh_token: refreshToken } = await openAs(ada, eve);
    const holder = await openAccount(ada);
    const path = `/user_management/sessions/logout?session_id=${String(decodeJwt(token).sid)}`;
    expect((await call('GET', path, undefined, { apiKey: null })).status).toBe(302);
    expect(await refresh(refreshToken)).toMatchObject(invalidGrant);
    expect((await holder.open()).status).toBe(200);
  });

  test('when the operator signs out of the console, from whose page it began', async () => {
    const operator = await enrolOperator('olga@gatehouse.example', 'admin');
    const person = browser();
    await signInOperator(person, operator);
    const page = await openPath(person, await consolePath(`users/${ada}/impersonate`));
    const response = await person.submit(page, { reason: 'Ticket 5822' }, 'value="impersonate"');
    expect(response.url).toBe(page.url);
    const [, url = ''] = /href="(https:\/\/app\.example\.com\/callback[^"]+)"/.exec(response.text) ?? [];
    const code = new URL(url.replaceAll('&amp;', '&')).searchParams.get('code') ?? '';
    const opened = await exchange(code);
    expect(opened).toMatchObject({ status: 200, body: { impersonator: { reason: 'Ticket 5822' } } });
    const again = await refresh(opened.body.refresh_token);
    expect(again.status).toBe(200);
    expect((await openPath(person, await consolePath(`users/${ada}`))).text).toContain(
      'impersonated by olga@gatehouse.example',
    );
    await person.submit(await openPath(person, '/console'), {}, 'sign-out');
    expect(await refresh(again.body.refresh_token)).toMatchObject(invalidGrant);
  });
});

describe('a session of an impersonator founds nothing', () => {
  test('no agent, no token exchange, no API key, no widget and no portal accepts its token', async () => {
    const organizationId = await newOrganization();
    await addMembership(ada, organizationId, 'active');
    const { access_token: token } = await openAs(ada, eve, { organization_id: organizationId });
    const minted = await delegate(await newBlueprint(), { token });
    expect(minted).toMatchObject({ status: 400, body: { code: 'invalid_user_access_token' } });
    for (const [path, body] of [
      [`/user_management/users/${ada}/api_keys`, { name: 'Key', organization_id: organizationId }],
      ['/widgets/token', { user_id: ada, organization_id: organizationId }],
      ['/portal/generate_link', { organization: organizationId, intent: 'sso' }],
      [`/user_management/users/${ada}/auth_factors`, { type: 'totp' }],
      [`/x/user-management/users/${ada}/account_link`, {}],
    ] as const)
      expect([path, (await call('POST', path, body, { apiKey: token })).status]).toEqual([path, 401]);
  });
});

describe('the account page of an impersonator', () => {
  const PAGES = ['name', 'email', 'password', 'passkeys', 'authenticator', 'recovery_codes', 'sessions', 'data'];

  const openAsEve = async (userId: string) => {
    const { access_token: token } = await openAs(userId, eve);
    return openAccount(userId, { session_id: String(decodeJwt(token).sid) });
  };

  test('shows a banner with the operator, and on no page a form', async () => {
    const holder = await openAsEve(ada);
    const overview = await holder.open();
    expect(overview.text).toContain('is acting as');
    expect(overview.text).toContain(OPERATOR);
    for (const name of [...PAGES, 'confirm', 'connected_accounts', 'organizations']) {
      const page = await holder.open(name);
      expect([name, page.status, page.text.includes('<form'), page.text.includes('Only the owner')]).toEqual([
        name,
        200,
        false,
        true,
      ]);
    }
  });

  test('rejects every form, also with the password of the user', async () => {
    const ben = await makeUser({ email: 'ben@acme.example', emailVerified: true });
    const holder = await openAsEve(ben);
    const own = await openAccount(ben);
    for (const name of ['confirm', 'name']) {
      const form = await own.open(name);
      const sent = await holder.person.request(form.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: new URL(form.url).origin,
          'sec-fetch-site': 'same-origin',
        },
        body: new URLSearchParams({ password: PASSWORD, first_name: 'Eve', proof: 'x' }).toString(),
      });
      expect([403, 302]).toContain(sent.status);
      expect((await holder.open('name')).text).toContain('Only the owner');
    }
    const { body } = await call<{ first_name: string | null }>('GET', `/user_management/users/${ben}`);
    expect(body.first_name).not.toBe('Eve');
  });

  test('ends with the setting', async () => {
    const holder = await openAsEve(await addUser('carl@acme.example'));
    await allow({ enabled: false });
    expect((await holder.open()).url).toContain('/hosted/sign-in');
  });
});
