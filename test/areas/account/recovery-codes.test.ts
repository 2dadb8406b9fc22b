import { beforeEach, describe, expect, test } from '@jest/globals';

import { openAccount, openProven } from '../../support/account.ts';
import type { Page } from '../../support/browser.ts';
import { readText } from '../../support/portal.ts';
import { advance, call, messages, now } from '../../support/service.ts';
import { authorizeUrl, isAtApplication, makeUser, newPerson, PASSWORD, totp } from '../pages/application.ts';

const EMAIL = 'ada@example.com';

let userId: string;

beforeEach(async () => {
  await newPerson();
  userId = await makeUser(EMAIL);
});

const readCodes = ({ text }: Page): string[] => /<pre[^>]*>([^<]+)<\/pre>/.exec(text)?.[1]?.trim().split('\n') ?? [];

/** Adds an authenticator app on the account page. @returns its key */
async function addApp({ person, open }: Awaited<ReturnType<typeof openProven>>): Promise<string> {
  const page = await open('authenticator');
  const secret = (/<code>([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1] ?? '').replaceAll(' ', '');
  await person.submit(page, { code: await totp(secret, await now()) });
  await advance(31);
  return secret;
}

/** Signs in with a recovery code as second factor. */
async function signInWith(code: string): Promise<boolean> {
  const { person } = await openAccount(userId);
  const first = await person.open(await authorizeUrl({ prompt: 'login' }));
  const asked = await person.submit(await person.submit(first, { email: EMAIL }), { password: PASSWORD });
  const page = await person.open(asked.url.replace('/hosted/mfa?', '/hosted/mfa/recovery?'));
  return isAtApplication(await person.submit(page, { code }));
}

describe('recovery codes on the account page', () => {
  test('are created with a mail and counted, and new codes replace the earlier ones', async () => {
    const holder = await openProven(userId, PASSWORD);
    await addApp(holder);
    const page = await holder.open('recovery_codes');
    expect(readText(page)).toContain('Codes left: 0');
    const first = readCodes(await holder.person.submit(page));
    const next = await holder.open('recovery_codes');
    expect([readText(next).includes('Codes left: 10'), readCodes(next)]).toEqual([true, []]);
    const renewed = await holder.person.submit(next);
    const second = readCodes(renewed);
    expect([new Set(first).size, new Set([...first, ...second]).size]).toEqual([10, 20]);
    expect(renewed.headers.get('cache-control')).toContain('no-store');
    expect(JSON.stringify(await messages(EMAIL))).toContain('recovery codes');
    expect(await signInWith(first[0] ?? '')).toBe(false);
    expect(await signInWith(second[0] ?? '')).toBe(true);
    expect(readText(await holder.open())).toContain('9');
  });

  test('are not created for a user without a second factor, whose page gives the reason', async () => {
    const { person, open } = await openProven(userId, PASSWORD);
    const page = await open('recovery_codes');
    expect([readText(page).includes('Set up two-step verification'), page.text.includes('<form')]).toEqual([
      true,
      false,
    ]);
    const name = await open('name');
    const forced = await person.submit({ ...name, text: name.text.replaceAll('/name"', '/recovery_codes"') });
    expect(readCodes(forced)).toEqual([]);
  });

  test('need a fresh proof of identity with the second factor', async () => {
    const holder = await openProven(userId, PASSWORD);
    const key = await addApp(holder);
    const page = await holder.open('recovery_codes');
    await advance(601);
    const late = await holder.person.submit(page);
    expect([readCodes(late), late.url.includes('/confirm')]).toEqual([[], true]);
    const next = await openAccount(userId);
    const factor = await next.person.submit(await next.open('recovery_codes'), { password: PASSWORD });
    expect(factor.url).toContain('/confirm');
    const proven = await next.person.submit(factor, { code: await totp(key, await now()) });
    expect(readText(proven)).toContain('Codes left: 0');
  });

  test('are valid from only one of two forms that were sent at once', async () => {
    const holder = await openProven(userId, PASSWORD);
    await addApp(holder);
    const page = await holder.open('recovery_codes');
    const responses = (await Promise.all([holder.person.submit(page), holder.person.submit(page)])).map(readCodes);
    const valid = [];
    for (const [code = ''] of responses) valid.push(await signInWith(code));
    expect(valid.filter(Boolean).length).toBe(1);
  });

  test('have no page if the settings disable the section', async () => {
    await call('PUT', '/x/account/settings', { sections: { recovery_codes: false } });
    const { open } = await openProven(userId, PASSWORD);
    expect((await open('recovery_codes')).status).toBe(404);
    expect(readText(await open())).not.toContain('Recovery codes');
  });
});
