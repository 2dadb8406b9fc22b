import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser, type Browser, type Page } from '../../support/browser.ts';
import { advance, call, eventually, messages, now } from '../../support/service.ts';
import { authorizeUrl, isAtApplication, makeUser, newPerson, PASSWORD, totp } from './application.ts';

const EMAIL = 'ada@example.com';

let person: Browser;

beforeEach(async () => {
  person = await newPerson();
  await call('PUT', '/x/authentication/settings', { mfa: 'required' });
});

async function enterPassword(by = person, email = EMAIL): Promise<Page> {
  const first = await by.open(await authorizeUrl({ prompt: 'login' }));
  return by.submit(await by.submit(first, { email }), { password: PASSWORD });
}

const readCodes = ({ text }: Page): string[] => /<pre[^>]*>([^<]+)<\/pre>/.exec(text)?.[1]?.trim().split('\n') ?? [];

/** Enrolls an authenticator app. @returns the recovery codes of its page, and the key of the app */
async function enroll(email = EMAIL): Promise<{ codes: string[]; key: string }> {
  await makeUser(email);
  const by = browser();
  const page = await enterPassword(by, email);
  const key = (/<code>([^<]+)<\/code>/.exec(page.text)?.[1] ?? '').replaceAll(' ', '');
  const done = await by.submit(page, { code: await totp(key, await now()) });
  if (!isAtApplication(done)) throw new Error(`The enrolment ended at ${done.url}`);
  return { codes: readCodes(page), key };
}

/** The page for a recovery code, from the link of the challenge. */
async function openRecovery(by = person, email = EMAIL): Promise<Page> {
  const asked = await enterPassword(by, email);
  expect(asked.text).toContain('/hosted/mfa/recovery');
  return by.open(asked.url.replace('/hosted/mfa?', '/hosted/mfa/recovery?'));
}

describe('recovery codes', () => {
  test('are ten different codes on the page of the enrolment, and the same ones after a reload', async () => {
    await makeUser(EMAIL);
    const page = await enterPassword();
    const codes = readCodes(page);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
    expect(readCodes(await person.open(page.url))).toEqual(codes);
  });

  test('replace the second factor once each, with a mail to the owner', async () => {
    const { codes } = await enroll();
    const [code = '', other = ''] = codes;
    expect(isAtApplication(await person.submit(await openRecovery(), { code }))).toBe(true);
    const sent = await eventually(
      () => messages(EMAIL),
      (list) => list.length > 0,
    );
    expect(sent[0]?.text).toContain('Codes left: 9');
    const again = await person.submit(await openRecovery(), { code });
    expect([again.status, again.text.includes('already used')]).toEqual([422, true]);
    const typed = ` ${other.toUpperCase().replaceAll('-', ' ')} `;
    expect(isAtApplication(await person.submit(await openRecovery(), { code: typed }))).toBe(true);
  });

  test('of another user, invented ones and an empty text are rejected', async () => {
    const { codes } = await enroll('bob@example.com');
    await enroll();
    const page = await openRecovery();
    for (const code of [codes[0] ?? '', '0000-0000-0000-0000', '', '-']) {
      expect((await person.submit(page, { code })).status).toBe(422);
    }
  });

  test('cannot be guessed: after twenty wrong ones in an hour the right one is rejected too', async () => {
    const { codes } = await enroll();
    const page = await openRecovery();
    for (let times = 0; times < 20; times += 1) {
      expect((await person.submit(page, { code: 'wrong' })).status).toBe(422);
      if (times % 5 === 4) await advance(61);
    }
    const rejected = await person.submit(page, { code: codes[0] ?? '' });
    expect([rejected.status, rejected.text.includes('Too many incorrect codes')]).toEqual([422, true]);
    await advance(3_601);
    expect(isAtApplication(await person.submit(await openRecovery(), { code: codes[0] ?? '' }))).toBe(true);
  });

  test('are accepted in only one of several parallel sign-ins', async () => {
    const { codes } = await enroll();
    const people = Array.from({ length: 4 }, () => browser());
    const pages: Page[] = [];
    for (const by of people) pages.push(await openRecovery(by));
    const done = await Promise.all(
      people.map((by, index) => by.submit(pages[index] as Page, { code: codes[0] ?? '' })),
    );
    expect(done.filter(isAtApplication).length).toBe(1);
  });

  test('do not skip the password: their page leads to the beginning without a pending sign-in', async () => {
    await enroll();
    const first = await person.open(await authorizeUrl({ prompt: 'login' }));
    const page = await person.open(first.url.replace('/hosted/sign-in?', '/hosted/mfa/recovery?'));
    expect(new URL(page.url).pathname).toBe('/hosted/sign-in');
  });

  test('are not offered to a user without any, whose page names support instead', async () => {
    const id = await makeUser(EMAIL);
    interface Enrolled {
      authentication_factor: { totp: { secret: string } };
      authentication_challenge: { id: string };
    }
    const { body } = await call<Enrolled>('POST', `/user_management/users/${id}/auth_factors`, { type: 'totp' });
    const code = await totp(body.authentication_factor.totp.secret, await now());
    await call('POST', `/auth/challenges/${body.authentication_challenge.id}/verify`, { code });
    const asked = await enterPassword();
    expect([asked.text.includes('/hosted/mfa/recovery'), asked.text.includes('Contact support')]).toEqual([
      false,
      true,
    ]);
  });
});
