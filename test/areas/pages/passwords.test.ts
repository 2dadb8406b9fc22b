import { beforeEach, describe, expect, test } from '@jest/globals';

import type { Browser, Page } from '../../support/browser.ts';
import { call, messages } from '../../support/service.ts';
import { authorizeUrl, makeUser, newPerson } from './application.ts';

const EMAIL = 'adalovelace@example.com';

let person: Browser;

beforeEach(async () => {
  person = await newPerson();
});

const opened = async (more: Record<string, string> = {}): Promise<Page> => person.open(await authorizeUrl(more));

const wrongIn = ({ text }: Page): string => /id="password-wrong">([^<]*)</.exec(text)?.[1] ?? '';

describe('a rejected password', () => {
  test.each([
    ['of too few characters', 'short', 'Use at least 10 characters.'],
    ['of too many', 'x'.repeat(257), 'Use at most 256 characters.'],
    ['of too few kinds of them', 'plain tulips over kelp', 'Use at least 3 of these kinds'],
    ['with the name in the address', 'Adalovelace-2026-Tulips', 'Leave out the name in your email address'],
    ['that everybody tries', 'Password2026!', 'too easy to guess'],
  ])('%s has an error that says what to do', async (_title, password, message) => {
    await call('PUT', '/x/user-management/passwords/settings', { min_classes: 3 });
    const page = await opened({ screen_hint: 'sign-up' });
    expect(page.text).toContain('Use at least 3 of these kinds: lower-case letters');
    const rejected = await person.submit(page, { email: EMAIL, password });
    expect(rejected.status).toBe(422);
    expect(wrongIn(rejected)).toContain(message);
  });

  test('has the same error on the reset page', async () => {
    await makeUser(EMAIL);
    const forgot = await person.open((await opened()).url.replace('/sign-in', '/forgot-password'));
    await person.submit(forgot, { email: EMAIL });
    const choose = await person.open((await messages(EMAIL))[0]?.links[0] ?? '');
    const rejected = await person.submit(choose, { password: 'adalovelace and her tulips' });
    expect(wrongIn(rejected)).toContain('Leave out the name in your email address');
  });
});

describe('if password resets are disabled', () => {
  test.each([
    ['by the settings of passwords', '/x/user-management/passwords/settings', { reset: false }],
    ['for want of passwords', '/x/authentication/settings', { methods: { password: false } }],
  ])('the reset page links back, %s', async (_title, settings, body) => {
    await makeUser(EMAIL);
    const open = await person.open((await opened()).url.replace('/sign-in', '/forgot-password'));
    expect((await call('PUT', settings, body)).status).toBe(200);
    const first = await opened();
    expect((await person.open(first.url.replace('/sign-in', '/forgot-password'))).url).toContain('/hosted/sign-in?');
    expect((await person.submit(open, { email: EMAIL })).url).toContain('/hosted/sign-in?');
    expect(await messages(EMAIL)).toHaveLength(0);
    const second = await person.submit(await opened(), { email: EMAIL });
    expect(second.text).not.toContain('/hosted/forgot-password');
  });
});
