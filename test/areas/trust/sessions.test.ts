import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser, unescapeHtml } from '../../support/browser.ts';
import { call, now, reset } from '../../support/service.ts';
import { addMembership } from '../../support/users.ts';
import { totp } from '../pages/application.ts';
import { redeem, setUp, startUrl, toProvider } from '../sso/identity-provider.ts';
import { samlConnection } from '../sso/support.ts';
import { accountAddress } from '../../support/account.ts';
import {
  addGuest,
  addOrganization,
  addPerson,
  arrive,
  type Granted,
  linkGuest,
  readResult,
  refresh,
  respond,
  signInByPassword,
} from './tenants.ts';

beforeEach(() => reset());

const EMAIL = 'ceo@victim.example';

/** A guest of an organization with a connection, who is also a member of the victim, and is linked at the connection. */
async function setUpGuest() {
  const { organizationId, connection } = await setUp('evil.example');
  const victim = await addOrganization('Victim', 'victim.example');
  const userId = await addGuest(organizationId, EMAIL);
  await addMembership(userId, victim);
  await linkGuest(connection.id, EMAIL);
  const { code } = readResult(await arrive(connection.id, EMAIL));
  const session = (await redeem<Granted>(code)).body;
  return { organizationId, connectionId: connection.id, victim, userId, session };
}

describe('a session by the word of an organization that does not cover the account', () => {
  test('is for this organization, and stays there', async () => {
    const { organizationId, session } = await setUpGuest();
    expect(session.organization_id).toBe(organizationId);
    expect((await refresh(session.refresh_token)).body.organization_id).toBe(organizationId);
  });

  test('does not move to another organization of the person, and the response says where to sign in', async () => {
    const { victim, session } = await setUpGuest();
    const { status, body } = await refresh(session.refresh_token, victim);
    expect([status, body.error]).toEqual([400, 'authentication_method_not_allowed']);
    expect(body.hosted_redirect_url).toContain(`organization_id=${victim}`);
    expect(body.authkit_redirect_url).toBe(body.hosted_redirect_url);
    const person = browser();
    const page = await person.open(body.hosted_redirect_url ?? '');
    const { code } = readResult(await signInByPassword(person, page, EMAIL));
    expect((await redeem<Granted>(code)).body.organization_id).toBe(victim);
  });

  test('names the address at which the application begins a sign-in, if the settings have it', async () => {
    const { victim, session } = await setUpGuest();
    const settings = '/x/authentication/settings';
    for (const initiate_login_uri of [
      'http://app.example.com/sign-in',
      'https://*.example.com',
      'javascript:alert(1)',
    ]) {
      expect((await call('PUT', settings, { initiate_login_uri })).status).toBe(422);
    }
    await call('PUT', settings, { initiate_login_uri: 'https://app.example.com/sign-in?from=gatehouse' });
    const { body } = await refresh(session.refresh_token, victim);
    const address = `https://app.example.com/sign-in?from=gatehouse&organization_id=${victim}`;
    expect([body.error, body.authkit_redirect_url]).toEqual(['authentication_method_not_allowed', address]);
    expect(body.hosted_redirect_url).toContain('/user_management/authorize?');
  });

  test('moves to an organization with a connection only through that connection', async () => {
    const { victim, session } = await setUpGuest();
    const { id } = await samlConnection(victim);
    await call('PUT', `/x/organizations/${victim}/sso_policy`, { required: false });
    const { status, body } = await refresh(session.refresh_token, victim);
    expect([status, body.error, body.connection_ids]).toEqual([400, 'sso_required', [id]]);
  });

  test('opens no account page, and no sign-in to another organization without a prompt', async () => {
    const { connectionId, organizationId, victim } = await setUpGuest();
    await call('PATCH', `/x/connections/${connectionId}`, { settings: { second_factor: 'ask' } });
    const person = browser();
    // The page of a remaining step keeps the browser signed in to the hosted pages, by the organization's word.
    const page = await arrive(connectionId, EMAIL, { person });
    expect(new URL(page.url).pathname).toBe('/hosted/sign-in');
    const account = await person.open(await accountAddress());
    expect(account.url).toContain('/hosted/sign-in');
    const own = await startUrl('/user_management/authorize', { provider: 'hosted', organization_id: victim });
    expect(new URL((await person.open(own)).url).pathname).toBe('/hosted/sign-in');
    expect(organizationId).not.toBe(victim);
  });
});

test('a person’s own sign-in moves between the organizations of the person', async () => {
  const { organizationId } = await setUp('evil.example');
  const victim = await addOrganization('Victim', 'victim.example');
  const userId = await addPerson(EMAIL);
  await addMembership(userId, victim);
  await addMembership(userId, organizationId);
  await call('PUT', `/x/organizations/${organizationId}/sso_policy`, { required: false });
  const person = browser();
  const url = await startUrl('/user_management/authorize', { provider: 'hosted', organization_id: victim });
  const { code } = readResult(await signInByPassword(person, await person.open(url), EMAIL));
  const { body } = await redeem<Granted>(code);
  expect((await refresh(body.refresh_token, organizationId)).body.organization_id).toBe(organizationId);
});

describe('a session by the word of the organization that covers the account', () => {
  test('moves to another organization of the person without a connection', async () => {
    const { connection } = await setUp();
    const { body } = await redeem<Granted>(readResult(await arrive(connection.id, 'ada@acme.example')).code);
    const other = await addOrganization('Other');
    await addMembership(body.user.id, other);
    expect((await refresh(body.refresh_token, other)).body.organization_id).toBe(other);
  });

  test('moves with the person’s own factor only where a sign-in would ask for one, which the pages enroll', async () => {
    const email = 'ada@acme.example';
    const { connection } = await setUp();
    const { body } = await redeem<Granted>(readResult(await arrive(connection.id, email)).code);
    const other = await addOrganization('Other');
    await addMembership(body.user.id, other);
    await call('PUT', '/x/authentication/settings', { mfa: 'required' });
    const moved = await refresh(body.refresh_token, other);
    expect([moved.status, moved.body.error]).toEqual([400, 'mfa_enrollment']);
    expect(moved.body.hosted_redirect_url).toContain(`organization_id=${other}`);
    const person = browser();
    const page = await person.submit(await person.open(moved.body.hosted_redirect_url ?? ''), { email });
    const [, address = ''] = /href="([^"]*\/x\/sso\/start[^"]*)"/.exec(page.text) ?? [];
    const request = await toProvider(new URL(unescapeHtml(address), page.url).href, person);
    const enrolment = await respond(request, email, { person });
    expect(new URL(enrolment.url).pathname).toBe('/hosted/mfa/enroll');
    const [, secret = ''] = /data-copy="([A-Z2-7]+)"/.exec(enrolment.text) ?? [];
    const done = await person.submit(enrolment, { code: await totp(secret, await now()) });
    expect((await redeem<Granted>(readResult(done).code)).body.organization_id).toBe(other);
  });

  test('does not enter an organization again that requires its own connection since', async () => {
    const { organizationId, connection } = await setUp();
    const { body } = await redeem<Granted>(readResult(await arrive(connection.id, 'ada@acme.example')).code);
    const other = await addOrganization('Other');
    await addMembership(body.user.id, other);
    const there = await refresh(body.refresh_token, other);
    const back = await refresh(there.body.refresh_token, organizationId);
    await samlConnection(other);
    const again = await refresh(back.body.refresh_token, other);
    expect([again.status, again.body.error]).toEqual([400, 'sso_required']);
  });
});
