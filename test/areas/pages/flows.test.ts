import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser, type Browser, type Page } from '../../support/browser.ts';
import { receiver } from '../../support/receiver.ts';
import { advance, call, idle, messages, now, service } from '../../support/service.ts';
import { addSession, readSessions } from '../../support/users.ts';
import {
  authorizeUrl,
  exchange,
  isAtApplication,
  mailedCode,
  makeUser,
  newPerson,
  PASSWORD,
  readSessionId,
  totp,
} from './application.ts';

const EMAIL = 'ada@example.com';

let person: Browser;

beforeEach(async () => {
  person = await newPerson();
});

const opened = async (more: Record<string, string> = {}): Promise<Page> => person.open(await authorizeUrl(more));

/** Enters an address and a password. */
async function enter(page: Page, password = PASSWORD, email = EMAIL): Promise<Page> {
  const second = await person.submit(page, { email });
  return person.submit(second, { password });
}

describe('signing in', () => {
  test('with a password redirects to the application with a code and its state', async () => {
    const id = await makeUser(EMAIL);
    const done = await enter(await opened({ state: 'a b&c=d' }));
    expect(isAtApplication(done)).toBe(true);
    const parameters = Object.fromEntries(new URL(done.url).searchParams);
    const iss: unknown = expect.stringContaining((await service()).clientId);
    expect(parameters).toEqual({ code: expect.any(String), state: 'a b&c=d', iss });
    const { user, authentication_method: method } = await exchange(done.url);
    expect([user.id, method]).toEqual([id, 'Password']);
  });

  test('has email and password on one page if the environment configures that', async () => {
    await makeUser(EMAIL);
    await call('PUT', '/x/pages/settings', { sign_in_form: 'email_and_password' });
    const done = await person.submit(await opened({ login_hint: EMAIL }), { password: PASSWORD });
    expect(isAtApplication(done)).toBe(true);
  });

  test('with a wrong password shows an error at the field, and the correct one continues', async () => {
    await makeUser(EMAIL);
    const wrong = await enter(await opened(), 'not the right one');
    expect(wrong.status).toBe(422);
    expect(wrong.text).toMatch(/aria-invalid="true"[^>]*aria-describedby="password-wrong"/);
    expect(wrong.text).toMatch(/id="password-wrong"[^>]*>Incorrect email or password\./);
    expect(isAtApplication(await person.submit(wrong, { password: PASSWORD }))).toBe(true);
  });

  test('with a mailed code verifies the address', async () => {
    const id = await makeUser(EMAIL, { email_verified: false });
    const second = await person.submit(await opened(), { email: EMAIL });
    const asked = await person.submit(second, { do: 'code' });
    expect(asked.url).toContain('/hosted/sign-in/code');
    const done = await person.submit(asked, { code: await mailedCode(EMAIL) });
    const { user, authentication_method: method } = await exchange(done.url);
    expect([user.id, user.email_verified, method]).toEqual([id, true, 'MagicAuth']);
  });

  test('works with a code that was sent again, but not with the previous one', async () => {
    await makeUser(EMAIL);
    const asked = await person.submit(await person.submit(await opened(), { email: EMAIL }), { do: 'code' });
    const first = await mailedCode(EMAIL);
    const again = await person.submit(asked, { do: 'resend' });
    expect(again.text).toContain('We sent a new code');
    const second = await mailedCode(EMAIL);
    if (first !== second) expect((await person.submit(again, { code: first })).text).toContain('Incorrect code');
    expect(isAtApplication(await person.submit(again, { code: second }))).toBe(true);
  });

  test('of a user with an unverified address requires the mailed code', async () => {
    await makeUser(EMAIL, { email_verified: false });
    const asked = await enter(await opened());
    expect(asked.url).toContain('/hosted/verify-email');
    expect((await person.submit(asked, { code: 'wrong' })).status).toBe(422);
    const done = await person.submit(asked, { code: await mailedCode(EMAIL) });
    expect((await exchange(done.url)).user.email_verified).toBe(true);
  });

  test('with several organizations lets the user choose only among their own', async () => {
    const id = await makeUser(EMAIL);
    const ids: string[] = [];
    for (const name of ['Engines', '<b>Looms</b>', 'Foreign']) {
      const { body } = await call<{ id: string }>('POST', '/organizations', { name });
      ids.push(body.id);
    }
    const [one = '', other = '', foreign = ''] = ids;
    for (const organization_id of [one, other]) {
      await call('POST', '/user_management/organization_memberships', { user_id: id, organization_id });
    }
    const asked = await enter(await opened());
    expect(asked.text).toContain('&lt;b&gt;Looms&lt;/b&gt;');
    for (const wrong of [{ organization_id: foreign }, {}]) {
      const rejected = await person.submit(asked, wrong);
      expect([rejected.status, isAtApplication(rejected)]).toEqual([422, false]);
    }
    const done = await person.submit(asked, { organization_id: other });
    expect((await exchange(done.url)).organization_id).toBe(other);
  });
});

describe('a second factor', () => {
  const keyIn = ({ text }: Page): string => (/<code>([^<]+)<\/code>/.exec(text)?.[1] ?? '').replaceAll(' ', '');

  test('is enrolled if mandatory, and required from then on', async () => {
    await makeUser(EMAIL);
    await call('PUT', '/x/authentication/settings', { mfa: 'required' });
    const enrol = await enter(await opened());
    expect(enrol.url).toContain('/hosted/mfa/enroll');
    expect(enrol.text).toMatch(/role="img"[^>]*aria-label="QR code/);
    const key = keyIn(enrol);
    expect(keyIn(await person.open(enrol.url))).toBe(key);
    expect((await person.submit(enrol, { code: '000000' })).status).toBe(422);
    const done = await person.submit(enrol, { code: await totp(key, await now()) });
    expect(isAtApplication(done)).toBe(true);

    await advance(60);
    const another = browser();
    const first = await another.submit(await another.open(await authorizeUrl()), { email: EMAIL });
    const asked = await another.submit(first, { password: PASSWORD });
    expect(asked.url).toMatch(/\/hosted\/mfa\?/);
    expect((await another.submit(asked, { code: '000000' })).text).toContain('Incorrect code');
    const code = await totp(key, await now());
    expect(isAtApplication(await another.submit(asked, { code }))).toBe(true);
  });
});

describe('a new device', () => {
  test('is confirmed by a mailed code if the environment requires it', async () => {
    await makeUser(EMAIL);
    await call('PUT', '/x/authentication/settings', { new_device: 'email_challenge' });
    await exchange((await enter(await opened())).url);
    expect(isAtApplication(await enter(await opened({ prompt: 'login' })))).toBe(true);
    person = browser({ 'user-agent': 'a telephone' });
    const asked = await enter(await opened());
    expect(asked.url).toContain('/hosted/verify-device');
    expect((await person.submit(asked, { code: 'wrong' })).status).toBe(422);
    expect(isAtApplication(await person.submit(asked, { code: await mailedCode(EMAIL) }))).toBe(true);
  });

  test('of a new user requires a phone number if the environment configures that', async () => {
    await makeUser(EMAIL);
    await call('PUT', '/x/authentication/settings', { new_device: 'sms_challenge' });
    const asked = await enter(await opened());
    expect(asked.url).toContain('/hosted/verify-phone');
    const rejected = await person.submit(asked, { phone_number: '12' });
    expect([rejected.status, rejected.text.includes('with its country code')]).toEqual([422, true]);
    const sent = await person.submit(rejected, { phone_number: '+1 (500) 555-0006' });
    expect(sent.text).toContain('+15005550006');
    expect((await person.submit(sent, { code: 'wrong' })).status).toBe(422);
    const done = await person.submit(sent, { code: await mailedCode('+15005550006') });
    expect(isAtApplication(done)).toBe(true);
  });
});

describe('signing up', () => {
  const signUp = async (email = EMAIL): Promise<Page> =>
    person.submit(await opened({ screen_hint: 'sign-up' }), { email, password: PASSWORD, first_name: 'Ada' });

  test('creates an account after the address is verified', async () => {
    const asked = await signUp();
    expect(asked.url).toContain('/hosted/sign-up/code');
    const wrong = await person.submit(asked, { code: '1' });
    expect(wrong.status).toBe(422);
    const done = await person.submit(wrong, { code: await mailedCode(EMAIL) });
    const { user } = await exchange(done.url);
    expect(user).toMatchObject({ email: EMAIL, email_verified: true, first_name: 'Ada' });
    const again = browser();
    const second = await again.submit(await again.open(await authorizeUrl()), { email: EMAIL });
    expect(isAtApplication(await again.submit(second, { password: PASSWORD }))).toBe(true);
  });

  test('shows what is wrong with a password, in the user’s language', async () => {
    const page = await person.request((await opened({ screen_hint: 'sign-up' })).url, {
      headers: { 'accept-language': 'de' },
    });
    expect(page.text).toContain('<html lang="de"');
    const rejected = await person.submit(page, { email: EMAIL, password: 'short' });
    expect([rejected.status, rejected.text.includes('Use at least 10 characters')]).toEqual([422, true]);
  });

  test('uses the language that the application requests, on every page of the sign-in', async () => {
    const first = await opened({ ui_locales: 'xx fr' });
    const second = await person.submit(first, { email: EMAIL });
    expect([first, second].map(({ text }) => /<html lang="(\w+)"/.exec(text)?.[1])).toEqual(['fr', 'fr']);
  });

  test('can be disabled by the environment', async () => {
    await call('PUT', '/x/authentication/settings', { sign_up: false });
    const rejected = await signUp();
    expect([rejected.status, rejected.text.includes('by invitation only')]).toEqual([422, true]);
    expect(await messages(EMAIL)).toHaveLength(0);
  });
});

describe('a forgotten password', () => {
  test('is replaced with the mailed link, which works once and ends the sessions of the user', async () => {
    const userId = await makeUser(EMAIL);
    const session = await addSession(userId);
    const first = await opened();
    const forgot = await person.open(first.url.replace('/hosted/sign-in', '/hosted/forgot-password'));
    expect((await person.submit(forgot, { email: 'nonsense' })).status).toBe(422);
    const sent = await person.submit(forgot, { email: EMAIL });
    expect(sent.text).toContain('If there is an account for ada@example.com');
    const link = (await messages(EMAIL))[0]?.links[0] ?? '';
    const choose = await person.open(link);
    expect((await person.submit(choose, { password: 'short' })).text).toContain('Use at least 10 characters');
    const done = await person.submit(choose, { password: 'another set of tulips' });
    expect(done.text).toContain('Your password has been changed');
    expect(await readSessions(userId)).not.toContain(session);
    expect((await person.open(link)).text).toContain('This link has expired');
    expect((await person.submit(choose, { password: 'a third set of tulips' })).text).toContain(
      'This link has expired',
    );
    expect((await enter(await opened())).status).toBe(422);
    expect(isAtApplication(await enter(await opened(), 'another set of tulips'))).toBe(true);
  });
});

describe('an invitation', () => {
  const invite = async (email: string, organizationId: string): Promise<string> => {
    const body = { email, organization_id: organizationId };
    const response = await call<{ accept_invitation_url: string }>('POST', '/user_management/invitations', body);
    expect(response.status).toBe(201);
    return response.body.accept_invitation_url;
  };

  test('adds a new user to the organization after the sign-up, once', async () => {
    const { body } = await call<{ id: string }>('POST', '/organizations', { name: 'Engines' });
    await call('PUT', '/x/authentication/settings', { sign_up: false });
    const link = await invite(EMAIL, body.id);
    const page = await person.open(link);
    expect(page.text).toContain('Join Engines');
    const form = await person.submit(page);
    expect(form.url).toContain('/hosted/sign-up');
    expect(form.text).toContain(`value="${EMAIL}"`);
    const asked = await person.submit(form, { password: PASSWORD });
    const done = await person.submit(asked, { code: await mailedCode(EMAIL) });
    expect((await exchange(done.url)).organization_id).toBe(body.id);
    expect((await browser().open(link)).text).toContain('This invitation is no longer valid');
  });

  test('is not accepted by a user with another address', async () => {
    const { body } = await call<{ id: string }>('POST', '/organizations', { name: 'Engines' });
    const link = await invite(EMAIL, body.id);
    await makeUser('eve@example.com');
    const form = await person.submit(await person.open(link));
    const first = await person.open(form.url.replace('/hosted/sign-up', '/hosted/sign-in'));
    const rejected = await enter(first, PASSWORD, 'eve@example.com');
    expect([rejected.status, isAtApplication(rejected)]).toEqual([422, false]);
    expect(rejected.text).toContain('This invitation is for another email address');
    expect((await browser().open(link)).text).toContain('Join Engines');
  });
});

describe('a browser that is signed in', () => {
  beforeEach(async () => {
    await makeUser(EMAIL);
  });

  const readMethod = async (page: Page): Promise<string> => (await exchange(page.url)).authentication_method;

  test('signs in to a second application without a prompt', async () => {
    await enter(await opened());
    const second = await opened({ state: 'second' });
    expect([isAtApplication(second), await readMethod(second)]).toEqual([true, 'Password']);
  });

  test.each([
    ['prompt=login', { prompt: 'login' }],
    ['max_age=0', { max_age: '0' }],
    ['a hint at somebody else', { login_hint: 'eve@example.com' }],
  ])('is prompted again with %s', async (_title, more) => {
    await enter(await opened());
    const asked = await opened(more);
    expect(asked.url).toContain('/hosted/sign-in');
  });

  test('is prompted again if the authentication is older than max_age, and renews the authentication', async () => {
    await enter(await opened());
    await advance(61);
    const asked = await opened({ max_age: '60' });
    expect(asked.url).toContain('/hosted/sign-in');
    const hooks = await receiver();
    const events = ['authentication.reauthentication_succeeded'];
    await call('POST', '/webhook_endpoints', { endpoint_url: hooks.url, events });
    await enter(asked);
    expect(isAtApplication(await opened({ max_age: '60' }))).toBe(true);
    await idle();
    expect(hooks.requests.map(({ body }) => JSON.parse(body) as object)).toMatchObject([
      { event: 'authentication.reauthentication_succeeded', data: { email: EMAIL, status: 'succeeded' } },
    ]);
  });

  test('is not prompted with prompt=none: the application gets an error', async () => {
    const parameters = new URL((await opened({ prompt: 'none' })).url);
    expect(Object.fromEntries(parameters.searchParams)).toMatchObject({ error: 'login_required', state: 'xyz' });
    await enter(await opened());
    expect(new URL((await opened({ prompt: 'none' })).url).searchParams.get('code')).toBeTruthy();
  });

  test('is signed out by a logout, by a revocation and by a new password', async () => {
    const isSignedIn = async (): Promise<boolean> => isAtApplication(await opened());
    const signIn = async (password = PASSWORD): Promise<string> =>
      readSessionId(await exchange((await enter(await opened({ prompt: 'login' }), password)).url));
    const session = await signIn();
    expect(await isSignedIn()).toBe(true);
    await person.open(
      `${(await authorizeUrl()).split('/user_management')[0]}/user_management/sessions/logout?session_id=${session}`,
    );
    expect(await isSignedIn()).toBe(false);
    await call('POST', '/user_management/sessions/revoke', { session_id: await signIn() });
    expect(await isSignedIn()).toBe(false);
    await signIn();
    const { body } = await call<{ data: { id: string }[] }>('GET', `/user_management/users?email=${EMAIL}`);
    await call('PUT', `/user_management/users/${body.data[0]?.id ?? ''}`, { password: 'another set of tulips' });
    expect(await isSignedIn()).toBe(false);
  });

  test('stays signed in for the time that the environment configures, and not at all if that is 0', async () => {
    await enter(await opened());
    await advance(604_801);
    const asked = await opened();
    expect(isAtApplication(asked)).toBe(false);
    await call('PUT', '/x/pages/settings', { browser_session_seconds: 0 });
    expect(isAtApplication(await enter(asked))).toBe(true);
    expect(isAtApplication(await opened())).toBe(false);
  });
});
