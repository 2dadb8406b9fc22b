import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser, type Browser, type Page } from '../../support/browser.ts';
import { advance, call, messages, now, reset } from '../../support/service.ts';
import { challenge, enrol, enrolApp, verify } from '../mfa/factor.ts';
import {
  authorizeUrl,
  exchange,
  isAtApplication,
  mailedCode,
  makeUser,
  PASSWORD,
  register,
  totp,
} from './application.ts';

const EMAIL = 'ada@example.com';
const PHONE = '+15005550006';

let person: Browser;
let userId: string;

beforeEach(async () => {
  await reset();
  await register();
  userId = await makeUser(EMAIL);
  person = browser();
});

async function enter(): Promise<Page> {
  const second = await person.submit(await person.open(await authorizeUrl()), { email: EMAIL });
  return person.submit(second, { password: PASSWORD });
}

const alertText = ({ text }: Page): string => /class="(?:wrong|alert|notice)"[^>]*>([^<]*)</.exec(text)?.[1] ?? '';

/** A code that differs from the given ones. */
const otherThan = (...codes: string[]): string =>
  ['000000', '000001', '000002'].find((code) => !codes.includes(code)) ?? '';

/** Requests a new code on a page, tries the previous one, and continues with the new one. */
async function sendsAgain(asked: Page, to: string): Promise<Page> {
  expect(asked.text).toContain('value="resend"');
  const former = await mailedCode(to);
  expect(alertText(await person.submit(asked, { code: otherThan(former) }))).toContain('Incorrect code');
  const again = await person.submit(asked, { do: 'resend' });
  expect(alertText(again)).toContain('We sent a new code');
  const code = await mailedCode(to);
  if (code !== former) expect((await person.submit(again, { code: former })).status).toBe(422);
  return person.submit(again, { code });
}

describe('a code by SMS', () => {
  test('that is a second factor can be sent again, which invalidates the previous code', async () => {
    const { id } = await enrol({ type: 'sms', phone_number: PHONE, user_id: userId });
    const open = await challenge(id);
    expect(await verify(open.id, await mailedCode(PHONE))).toBe('valid');
    const asked = await enter();
    expect(asked.url).toContain('/hosted/mfa?');
    expect(asked.text).not.toContain('spam');
    expect(isAtApplication(await sendsAgain(asked, PHONE))).toBe(true);
  });

  test('of a new user can be sent again, to the number that was entered', async () => {
    await call('PUT', '/x/authentication/settings', { new_device: 'sms_challenge' });
    const asked = await person.submit(await enter(), { phone_number: PHONE });
    expect(isAtApplication(await sendsAgain(asked, PHONE))).toBe(true);
    // A user gets at most three codes a minute.
    await advance(61);
    person = browser({ 'user-agent': 'a telephone' });
    const next = await enter();
    expect(next.url).toContain('/hosted/verify-device');
    expect(isAtApplication(await sendsAgain(next, PHONE))).toBe(true);
  });

  test('can be sent five times in ten minutes; then the page shows how long to wait', async () => {
    const { id } = await enrol({ type: 'sms', phone_number: PHONE, user_id: userId });
    expect(await verify((await challenge(id)).id, await mailedCode(PHONE))).toBe('valid');
    const asked = await enter();
    const responses: string[] = [];
    for (let time = 0; time < 4; time += 1) responses.push(alertText(await person.submit(asked, { do: 'resend' })));
    expect(responses.map((text) => text.slice(0, 13))).toEqual([
      'We sent a new',
      'We sent a new',
      'We sent a new',
      'Too many atte',
    ]);
    expect(await messages(PHONE)).toHaveLength(5);
    expect(isAtApplication(await person.submit(asked, { code: await mailedCode(PHONE) }))).toBe(true);
  });
});

describe('a code of a new device', () => {
  test('can be mailed again', async () => {
    await call('PUT', '/x/authentication/settings', { new_device: 'email_challenge' });
    await exchange((await enter()).url);
    person = browser({ 'user-agent': 'a telephone' });
    expect(isAtApplication(await sendsAgain(await enter(), EMAIL))).toBe(true);
  });
});

describe('a code of an authenticator app', () => {
  test('that is wrong for the fifth time in a day causes one mail to the owner', async () => {
    const factor = await enrolApp(userId);
    const right = await totp(factor.totp?.secret ?? '', await now());
    expect(await verify((await challenge(factor.id)).id, right)).toBe('valid');
    // A code is accepted once, so the same code is wrong from now on.
    const asked = await enter();
    for (let time = 0; time < 4; time += 1) await person.submit(asked, { code: right });
    expect(await messages(EMAIL)).toEqual([]);
    for (let time = 0; time < 3; time += 1) await person.submit(asked, { code: right });
    const sentMessages = await messages(EMAIL);
    expect(sentMessages.map(({ subject }) => subject)).toEqual([expect.stringContaining('Wrong codes')]);
    expect(sentMessages[0]?.text).not.toMatch(/https?:/);
  });

  test('cannot be requested, and after five wrong codes the sign-in must be started again', async () => {
    const factor = await enrolApp(userId);
    const secret = factor.totp?.secret ?? '';
    expect(await verify((await challenge(factor.id)).id, await totp(secret, await now()))).toBe('valid');
    await advance(60);
    const asked = await enter();
    expect(asked.text).not.toContain('value="resend"');
    expect((await person.submit(asked, { do: 'resend', code: '' })).status).toBe(422);
    const responses: string[] = [];
    for (let time = 0; time < 6; time += 1) responses.push(alertText(await person.submit(asked, { code: 'wrong' })));
    expect(responses[4]).toContain('Wait for the next one');
    expect(responses[5]).toContain('start again');
    await advance(61);
    const again = await enter();
    expect(isAtApplication(await person.submit(again, { code: await totp(secret, await now()) }))).toBe(true);
  });
});

describe('codes by mail', () => {
  const toVerify = async (): Promise<Page> => {
    await makeUser('bob@example.com', { email_verified: false });
    const second = await person.submit(await person.open(await authorizeUrl()), { email: 'bob@example.com' });
    return person.submit(second, { password: PASSWORD });
  };
  const toCode = async (): Promise<Page> =>
    person.submit(await person.submit(await person.open(await authorizeUrl()), { email: EMAIL }), { do: 'code' });
  const toSignUp = async (): Promise<Page> =>
    person.submit(await person.open(await authorizeUrl({ screen_hint: 'sign-up' })), {
      email: 'new@example.com',
      password: PASSWORD,
    });

  test.each([
    ['that prove an address', toVerify],
    ['to sign in with', toCode],
    ['of a sign-up', toSignUp],
  ])('%s are limited to ten attempts a minute, however many codes are sent', async (_title, to) => {
    const asked = await to();
    const responses: string[] = [];
    for (let time = 0; time < 11; time += 1) {
      if (time === 4 || time === 8) await person.submit(asked, { do: 'resend' });
      responses.push(alertText(await person.submit(asked, { code: 'wrong' })).slice(0, 14));
    }
    expect(responses).toEqual([...Array.from({ length: 10 }, () => 'Incorrect code'), 'Too many attem']);
  });
});
