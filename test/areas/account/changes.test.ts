import { beforeEach, describe, expect, test } from '@jest/globals';

import { accountAddress, openAccount, openProven } from '../../support/account.ts';
import { browser } from '../../support/browser.ts';
import { newOrganization } from '../../support/organizations.ts';
import { readText } from '../../support/portal.ts';
import { advance, call, idle, messages, now, reset } from '../../support/service.ts';
import { addMembership, addSession, readSessions } from '../../support/users.ts';
import { mailedCode, makeUser, PASSWORD, totp } from '../pages/application.ts';

const EMAIL = 'ada@example.com';
const OTHER = 'ada@new.example';
const NEW_PASSWORD = 'nine orange kites in rain';

let userId: string;

beforeEach(async () => {
  await reset();
  userId = await makeUser(EMAIL, { first_name: 'Ada' });
});

const readUser = async () => (await call<Record<string, unknown>>('GET', `/user_management/users/${userId}`)).body;

/** Expects a mail to an address with this text. */
async function expectMail(to: string, text: string): Promise<void> {
  expect(JSON.stringify(await messages(to))).toContain(text);
}

/** The events of a name. */
async function events(name: string): Promise<unknown[]> {
  await idle();
  return (await call<{ data: unknown[] }>('GET', `/events?events=${name}`)).body.data;
}

describe('the account page', () => {
  test('changes the name, with its event and a mail', async () => {
    const { person, open } = await openProven(userId, PASSWORD);
    const done = await person.submit(await open('name'), { first_name: 'Augusta', last_name: 'King' });
    expect(readText(done)).toContain('Your name is saved');
    expect(await readUser()).toMatchObject({ first_name: 'Augusta', last_name: 'King' });
    const [event] = await events('user.updated');
    expect(event).toMatchObject({
      data: { id: userId, first_name: 'Augusta' },
      context: { actor: { id: userId, source: 'api', name: EMAIL }, previous_attributes: { first_name: 'Ada' } },
    });
    await expectMail(EMAIL, 'Your name was changed');
    const wrong = await person.submit(await open('name'), { first_name: 'x'.repeat(256) });
    expect([wrong.status, wrong.headers.get('x-error-code')]).toEqual([422, 'form_refused']);
    expect(await readUser()).toMatchObject({ first_name: 'Augusta' });
  });

  test('changes the address by a code that is mailed to the new address, notifies the former address, and keeps this browser signed in', async () => {
    await addSession(userId);
    const { person, open } = await openProven(userId, PASSWORD);
    const second = await person.submit(await open('email'), { new_email: ` ${OTHER.toUpperCase()} ` });
    expect(second.url).toContain('step=code');
    expect(await readUser()).toMatchObject({ email: EMAIL });
    expect((await person.submit(second, { code: '000' })).status).toBe(422);
    const done = await person.submit(second, { code: await mailedCode(OTHER) });
    expect(readText(done)).toContain('Your email address is changed');
    expect(readText(done)).toContain(OTHER);
    expect(await readUser()).toMatchObject({ email: OTHER, email_verified: true });
    expect(await readSessions(userId)).toEqual([]);
    await expectMail(EMAIL, OTHER);
    expect((await events('user.updated')).length).toBe(1);
    expect((await events('session.revoked')).length).toBe(1);
  });

  test('reveals that another account has an address only to the reader of its mailbox', async () => {
    await makeUser(OTHER);
    const { person, open } = await openProven(userId, PASSWORD);
    const second = await person.submit(await open('email'), { new_email: OTHER });
    expect(second.status).toBe(200);
    expect(readText(second)).not.toContain('another account');
    const taken = await person.submit(second, { code: await mailedCode(OTHER) });
    expect([taken.status, taken.headers.get('x-error-code')]).toEqual([409, 'email_not_available']);
    expect(await readUser()).toMatchObject({ email: EMAIL });
  });

  test('does not change the address if the settings do not allow it', async () => {
    await call('PUT', '/x/user-management/settings', { email_change: false });
    const { person, open } = await openProven(userId, PASSWORD);
    const page = await open('email');
    expect(readText(page)).toContain('cannot be changed here');
    expect(page.text).not.toContain('new_email');
    const name = await open('name');
    const forced = await person.submit(
      { ...name, text: name.text.replaceAll('/name"', '/email"') },
      { new_email: OTHER },
    );
    expect(await messages(OTHER)).toEqual([]);
    expect(readText(forced)).toContain('cannot be changed here');
  });

  test('changes the password, ends the other sessions, and keeps the session that its link names', async () => {
    const session_id = await addSession(userId);
    await addSession(userId);
    const elsewhere = await openAccount(userId);
    const { person, open } = await openProven(userId, PASSWORD, { session_id });
    const weak = await person.submit(await open('password'), { password: 'short' });
    expect([weak.status, readText(weak)]).toEqual([422, expect.stringContaining('Use at least 10 characters')]);
    const done = await person.submit(await open('password'), { password: NEW_PASSWORD });
    expect(readText(done)).toContain('Your password is saved');
    expect(await readSessions(userId)).toEqual([session_id]);
    expect((await elsewhere.open()).url).toContain('/hosted/sign-in');
    await expectMail(EMAIL, 'password');
    const again = await openAccount(userId);
    expect((await again.person.submit(await again.open('name'), { password: PASSWORD })).status).toBe(422);
    expect((await again.person.submit(await again.open('name'), { password: NEW_PASSWORD })).url).toContain('/name');
    expect((await events('session.revoked')).length).toBe(1);
  });

  test('sets the first password of a user, whose proof is a mailed code', async () => {
    const { body } = await call<{ id: string }>('POST', '/user_management/users', {
      email: OTHER,
      email_verified: true,
    });
    const { person, open } = await openAccount(body.id);
    const confirmation = await open('password');
    expect(confirmation.text).not.toContain('type="password"');
    const code = await person.submit(confirmation, { do: 'code' });
    const proven = await person.submit(code, { code: await mailedCode(OTHER) });
    expect(proven.url).toContain('/password');
    expect(readText(await person.submit(proven, { password: NEW_PASSWORD }))).toContain('Your password is saved');
    await expectMail(OTHER, 'A password was set');
  });

  test('adds an authenticator app, which a proof of identity then requires, and removes it', async () => {
    const { person, open } = await openProven(userId, PASSWORD);
    const page = await open('authenticator');
    const secret = (/<code>([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1] ?? '').replaceAll(' ', '');
    const wrong = await person.submit(page, { code: '000000' });
    expect(wrong.status).toBe(422);
    // The same secret is shown again, so that an app that has scanned it remains valid.
    expect(wrong.text.replaceAll(' ', '')).toContain(secret);
    const added = await person.submit(wrong, { code: await totp(secret, await now()) });
    expect(readText(added)).toContain('The authenticator app is added');
    await expectMail(EMAIL, 'An authenticator app was added');
    const next = await openAccount(userId);
    const factor = await next.person.submit(await next.open('authenticator'), { password: PASSWORD });
    expect(readText(factor)).toContain('Enter the code from your authenticator app');
    expect((await next.open('authenticator')).url).toContain('/confirm');
    const mistyped = await next.person.submit(factor, { code: '000000' });
    expect([mistyped.status, mistyped.url.includes('/confirm')]).toEqual([422, true]);
    expect(await events('authentication.mfa_failed')).toHaveLength(1);
    await advance(30);
    const proven = await next.person.submit(factor, { code: await totp(secret, await now()) });
    expect(proven.url).toContain('/authenticator');
    const removed = await next.person.submit(proven, {}, 'value="remove"');
    expect(readText(removed)).toContain('The method is removed');
    const { body } = await call<{ data: unknown[] }>('GET', `/user_management/users/${userId}/auth_factors`);
    expect(body.data).toEqual([]);
  });

  test('keeps the last authenticator app where the environment requires one', async () => {
    const { person, open } = await openProven(userId, PASSWORD);
    const page = await open('authenticator');
    const secret = (/<code>([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1] ?? '').replaceAll(' ', '');
    const added = await person.submit(page, { code: await totp(secret, await now()) });
    await call('PUT', '/x/authentication/settings', { mfa: 'required' });
    const rejected = await person.submit(added, {}, 'value="remove"');
    expect([rejected.status, readText(rejected)]).toEqual([422, expect.stringContaining('This is required here')]);
  });

  test('ends one session, or all of them with this page', async () => {
    const kept = await addSession(userId);
    await addSession(userId);
    const { person, open } = await openProven(userId, PASSWORD);
    // The newest session is the first of the page.
    const done = await person.submit(await open('sessions'), {}, 'value="end"');
    expect(readText(done)).toContain('The device is signed out');
    expect(await readSessions(userId)).toEqual([kept]);
    const everywhere = await person.submit(done, {}, 'value="end_all"');
    expect(readText(everywhere)).toContain('You are signed out everywhere');
    expect(await readSessions(userId)).toEqual([]);
    expect((await open()).url).toContain('/hosted/sign-in');
    await expectMail(EMAIL, 'All of your devices were signed out');
  });

  test('shows organizations, and ends the sessions of one that the user leaves', async () => {
    const organizationId = await newOrganization('Engines <b>');
    await addMembership(userId, organizationId);
    await addSession(userId, organizationId);
    const kept = await addSession(userId);
    const { person, open } = await openProven(userId, PASSWORD);
    const page = await open('organizations');
    expect(page.text).toContain('Engines &lt;b&gt;');
    expect(readText(await person.submit(page))).toContain('You left the organization');
    expect(await readSessions(userId)).toEqual([kept]);
    expect((await events('organization_membership.deleted')).length).toBe(1);
    await expectMail(EMAIL, 'You left the organization');
  });

  test('returns the data as JSON, without secrets', async () => {
    await addMembership(userId, await newOrganization('Engines'));
    await addSession(userId);
    const { person, open } = await openProven(userId, PASSWORD);
    const file = await person.submit(await open('data'));
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="account.json"');
    const data = JSON.parse(file.text) as Record<string, unknown>;
    expect(data).toMatchObject({
      user: { id: userId, email: EMAIL },
      has_password: true,
      organization_memberships: [{ organization_name: 'Engines', status: 'active' }],
      sessions: [{ auth_method: 'password' }],
    });
    expect(file.text).not.toMatch(/hash|sealed|argon2/i);
    await expectMail(EMAIL, 'A copy of your data was downloaded');
  });

  test('deletes the account once, after its address was typed', async () => {
    await call('PUT', '/x/account/settings', { sections: { deletion: true } });
    await addSession(userId);
    const { person, open } = await openProven(userId, PASSWORD);
    const page = await open('deletion');
    expect((await person.submit(page, { email: OTHER })).status).toBe(422);
    const done = await person.submit(page, { email: EMAIL });
    expect(readText(done)).toContain('Your account is deleted');
    expect((await call('GET', `/user_management/users/${userId}`)).status).toBe(404);
    expect((await events('user.deleted')).length).toBe(1);
    await expectMail(EMAIL, 'Your account and its data were deleted');
    // The same form again, and the same cookies in another browser, find no account.
    expect((await person.submit(page, { email: EMAIL })).url).toContain('/hosted/sign-in');
    expect((await events('user.deleted')).length).toBe(1);
    expect((await browser().open(await accountAddress())).url).toContain('/hosted/sign-in');
  });

  test('deletes no account where the settings of users do not allow it', async () => {
    await call('PUT', '/x/account/settings', { sections: { deletion: true } });
    const { person, open } = await openProven(userId, PASSWORD);
    const page = await open('deletion');
    await call('PUT', '/x/user-management/settings', { user_deletion: false });
    const rejected = await person.submit(page, { email: EMAIL });
    expect([rejected.status, rejected.headers.get('x-error-code')]).toEqual([403, 'account_change_not_allowed']);
    expect((await readUser()).email).toBe(EMAIL);
  });
});
