import { beforeEach, describe, expect, test } from '@jest/globals';

import type { Browser, Page } from '../../support/browser.ts';
import { advance, call, idle, now } from '../../support/service.ts';
import { type ForgingProvider, forgingProvider } from '../social/forging-provider.ts';
import { configure } from '../social/sign-in.ts';
import { authorizeUrl, isAtApplication, mailedCode, makeUser, newPerson, PASSWORD, totp } from './application.ts';

const EMAIL = 'ada@example.com';

let person: Browser;

beforeEach(async () => {
  person = await newPerson();
});

const opened = async (more: Record<string, string> = {}): Promise<Page> => person.open(await authorizeUrl(more));

/** Enters an address. */
const named = async (): Promise<Page> => person.submit(await opened(), { email: EMAIL });

/** The events of proofs by name, each with its name without the area, its user and the reason of a failure. */
async function emittedEvents(): Promise<unknown[][]> {
  const kinds = ['password', 'magic_auth', 'email_verification', 'mfa', 'oauth'];
  const names = kinds.flatMap((kind) => [`authentication.${kind}_succeeded`, `authentication.${kind}_failed`]);
  await idle();
  const { body } = await call<{ data: SentEvent[] }>('GET', `/events?limit=50&events=${names.join(',')}`);
  const all = body.data.map(({ event, data: { user_id: userId, error, ip_address: address } }) => {
    expect(address).toBe('127.0.0.1');
    return [event.replace('authentication.', ''), userId, ...(error === undefined ? [] : [error.code])];
  });
  return all.sort((one, other) => String(one).localeCompare(String(other)));
}

interface SentEvent {
  event: string;
  data: { user_id: string | null; ip_address: string; error?: { code: string } };
}

describe('the pages emit an event for each attempted proof:', () => {
  test('a password, and the code that verifies an address', async () => {
    const id = await makeUser(EMAIL, { email_verified: false });
    const second = await named();
    await person.submit(second, { password: 'not the right one' });
    const asked = await person.submit(second, { password: PASSWORD });
    await person.submit(asked, { code: 'wrong' });
    expect(isAtApplication(await person.submit(asked, { code: await mailedCode(EMAIL) }))).toBe(true);
    expect(await emittedEvents()).toEqual([
      ['email_verification_failed', id, 'invalid_one_time_code'],
      ['email_verification_succeeded', id],
      ['password_failed', id, 'invalid_credentials'],
      ['password_succeeded', id],
    ]);
  });

  test('a mailed code, also for an unknown user', async () => {
    const id = await makeUser(EMAIL);
    const asked = await person.submit(await named(), { do: 'code' });
    await person.submit(asked, { code: 'wrong' });
    await person.submit(asked, { code: await mailedCode(EMAIL) });
    const other = await person.submit(await opened({ prompt: 'login' }), { email: 'eve@example.com' });
    await person.submit(await person.submit(other, { do: 'code' }), { code: 'wrong' });
    expect(await emittedEvents()).toEqual([
      ['magic_auth_failed', null, 'invalid_one_time_code'],
      ['magic_auth_failed', id, 'invalid_one_time_code'],
      ['magic_auth_succeeded', id],
    ]);
  });

  test('the code that completes a sign-up', async () => {
    const asked = await person.submit(await opened({ screen_hint: 'sign-up' }), { email: EMAIL, password: PASSWORD });
    await person.submit(asked, { code: 'wrong' });
    await person.submit(asked, { code: await mailedCode(EMAIL) });
    expect(await emittedEvents()).toEqual([
      ['email_verification_failed', expect.stringMatching(/^user_/), 'invalid_one_time_code'],
      ['email_verification_succeeded', expect.stringMatching(/^user_/)],
    ]);
  });

  test('a second factor, at its enrolment and afterwards', async () => {
    const id = await makeUser(EMAIL);
    await call('PUT', '/x/authentication/settings', { mfa: 'required' });
    const enrol = await person.submit(await named(), { password: PASSWORD });
    const key = (/<code>([^<]+)<\/code>/.exec(enrol.text)?.[1] ?? '').replaceAll(' ', '');
    await person.submit(enrol, { code: await totp(key, await now()) });
    await advance(60);
    const second = await person.submit(await opened({ prompt: 'login' }), { email: EMAIL });
    const asked = await person.submit(second, { password: PASSWORD });
    await person.submit(asked, { code: 'wrong' });
    await person.submit(asked, { code: await totp(key, await now()) });
    expect(await emittedEvents()).toEqual([
      ['mfa_failed', id, 'invalid_one_time_code'],
      ['mfa_succeeded', id],
      ['mfa_succeeded', id],
      ['password_succeeded', id],
      ['password_succeeded', id],
    ]);
  });

  test('an account without an email address at a provider, with the code for the entered address', async () => {
    const provider: ForgingProvider = await forgingProvider();
    provider.account = { sub: 'ada-at-google' };
    await configure(provider.url);
    const { text, url } = await opened();
    const address = /<a class="button quiet" href="([^"]+)"/.exec(text)?.[1] ?? '';
    const page = await person.open(new URL(address.replaceAll('&amp;', '&'), url).href);
    const code = await person.submit(page, { email: EMAIL });
    await person.submit(code, { code: await mailedCode(EMAIL) });
    const user = expect.stringMatching(/^user_/) as unknown;
    expect(await emittedEvents()).toEqual([
      ['magic_auth_succeeded', user],
      ['oauth_succeeded', user],
    ]);
  });
});
