import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser, type Browser, type Page } from '../../support/browser.ts';
import { advance, call, messages } from '../../support/service.ts';
import { authorizeUrl, exchange, isAtApplication, mailedCode, makeUser, newPerson, PASSWORD } from './application.ts';

const EMAIL = 'ada@example.com';

let person: Browser;

beforeEach(async () => {
  person = await newPerson();
});

const opened = async (more: Record<string, string> = {}, by = person): Promise<Page> =>
  by.open(await authorizeUrl(more));

/** Removes the parts of a page that differ between two requests by design. */
const same = ({ text }: Page): string =>
  text.replace(/login_flow_\w+/g, 'FLOW').replace(/name="proof" value="[^"]*"/g, 'PROOF');

test.each([
  [
    'both',
    { terms_url: 'https://example.com/terms', privacy_url: 'https://example.com/privacy' },
    'By continuing, you agree to the <a href="https://example.com/terms">Terms of Service</a> and <a href="https://example.com/privacy">Privacy Policy</a>.',
  ],
  [
    'the terms',
    { terms_url: 'https://example.com/terms' },
    'By continuing, you agree to the <a href="https://example.com/terms">Terms of Service</a>.',
  ],
  [
    'the privacy policy',
    { privacy_url: 'https://example.com/privacy' },
    'By continuing, you agree to the <a href="https://example.com/privacy">Privacy Policy</a>.',
  ],
])('the sign-up page has one sentence with links to %s', async (_, settings, sentence) => {
  await call('PUT', '/x/pages/settings', settings);
  const form = await person.open((await opened()).url.replace('/sign-in', '/sign-up'));
  expect(form.text.replace(/\s+/g, ' ')).toContain(sentence);
});

describe('the existence of an account', () => {
  beforeEach(async () => {
    await makeUser(EMAIL);
  });

  const swap = (text: string, email: string): string => text.replaceAll(email, 'EMAIL');

  test('is not revealed by signing in', async () => {
    const responses: string[] = [];
    for (const email of [EMAIL, 'bob@example.com']) {
      const second = await person.submit(await opened(), { email });
      const wrong = await person.submit(second, { password: 'not the right one' });
      responses.push(swap(same(second), email), `${wrong.status}${swap(same(wrong), email)}`);
    }
    expect(responses.slice(0, 2)).toEqual(responses.slice(2));
  });

  test('is not revealed by a password reset or its limits', async () => {
    const responses: string[][] = [];
    for (const email of [EMAIL, 'bob@example.com']) {
      const own: string[] = [];
      for (let time = 0; time < 5; time += 1) {
        const forgot = await person.open((await opened()).url.replace('/sign-in', '/forgot-password'));
        own.push(swap(same(await person.submit(forgot, { email })), email).replace(/in \d+ seconds/, 'in … seconds'));
      }
      responses.push(own);
    }
    expect(responses[0]).toEqual(responses[1]);
    expect(responses[0]?.at(-1)).toContain('Too many attempts');
    expect(await messages('bob@example.com')).toHaveLength(0);
  });

  test('is not revealed by sign-up: the owner is notified by mail, and no code is accepted', async () => {
    const responses: string[][] = [];
    for (const email of [EMAIL, 'new@example.com']) {
      const form = await person.open((await opened()).url.replace('/sign-in', '/sign-up'));
      const asked = await person.submit(form, { email, password: 'another set of tulips' });
      const own = [asked];
      // The sixth attempt exceeds the limit, with and without a code.
      for (let time = 0; time < 6; time += 1) own.push(await person.submit(asked, { code: 'wrong' }));
      own.push(await person.submit(asked, { do: 'resend' }));
      // The form is sent again: the next code has the same number of attempts.
      const again = await person.submit(form, { email, password: 'another set of tulips' });
      own.push(again, await person.submit(again, { code: 'wrong' }));
      responses.push(own.map((page) => `${page.status}${swap(same(page), email)}`));
    }
    expect(responses[0]).toEqual(responses[1]);
    expect(responses[0]?.at(-4)).toContain('Too many incorrect attempts');
    expect(responses[0]?.at(-3)).toContain('We sent a new code');
    expect(responses[0]?.at(-1)).toContain('Incorrect code');
    const [note] = await messages(EMAIL);
    expect([note?.subject, note?.code ?? null]).toEqual([expect.stringContaining('You already have an account'), null]);
    const second = await person.submit(await opened(), { email: EMAIL });
    expect((await person.submit(second, { password: 'another set of tulips' })).status).toBe(422);
    expect(isAtApplication(await person.submit(second, { password: PASSWORD }))).toBe(true);
  });

  test('is not revealed by a mailed code, even if sign-up is disabled', async () => {
    for (const sign_up of [true, false]) {
      await call('PUT', '/x/authentication/settings', { sign_up });
      const responses: string[] = [];
      for (const email of [EMAIL, 'bob@example.com']) {
        const asked = await person.submit(await person.submit(await opened(), { email }), { do: 'code' });
        const wrong = await person.submit(asked, { code: 'wrong' });
        const pages = [asked, wrong];
        for (let time = 0; time < 5; time += 1) pages.push(await person.submit(asked, { code: 'wrong' }));
        // After another code was requested, the same number of attempts is allowed, whether or not a code was really sent.
        pages.push(await person.submit(asked, { do: 'resend' }), await person.submit(asked, { code: 'wrong' }));
        responses.push(...pages.map((page) => `${page.status}${swap(same(page), email)}`));
      }
      expect(responses.slice(0, 9)).toEqual(responses.slice(9));
      expect(responses[6]).toContain('Too many incorrect attempts');
      expect(responses[8]).toContain('Incorrect code');
      await advance(61);
    }
  });
});

describe('an account that another person created with an address', () => {
  test('loses its password when the owner verifies the address', async () => {
    const thief = browser();
    const form = await thief.open((await opened({}, thief)).url.replace('/sign-in', '/sign-up'));
    await thief.submit(form, { email: EMAIL, password: 'a password of a thief' });
    await advance(90);
    const asked = await person.submit(await person.submit(await opened(), { email: EMAIL }), { do: 'code' });
    const done = await person.submit(asked, { code: await mailedCode(EMAIL) });
    expect((await exchange(done.url)).user.email_verified).toBe(true);
    const second = await thief.submit(await opened({}, thief), { email: EMAIL });
    expect((await thief.submit(second, { password: 'a password of a thief' })).status).toBe(422);
  });
});
