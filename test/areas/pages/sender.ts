import { expect } from '@jest/globals';

import { browser, type Browser } from '../../support/browser.ts';
import { advance, call, reset } from '../../support/service.ts';
import { setSettings } from '../../support/settings.ts';
import type { Timed } from '../../support/timing.ts';
import { authorizeUrl, makeUser, PASSWORD, register } from './application.ts';

/** The address of the account that exists. */
export const KNOWN = 'ada@example.com';

/** The forms whose response must not reveal an account: title, path, unknown addresses, fields, settings. */
export const FORMS = [
  ['to a forgotten password', '/hosted/forgot-password', 'nobody#@example.com', {}, {}],
  ['to a mailed code', '/hosted/sign-in', 'nobody#@example.com', { do: 'code' }, { methods: { password: false } }],
  [
    'to a mailed code where nobody signs up',
    '/hosted/sign-in',
    'nobody#@example.com',
    {},
    { methods: { password: false }, sign_up: false },
  ],
  ['to a sign-up', '/hosted/sign-up', 'new#@example.com', { password: PASSWORD }, {}],
] as const;

/** Makes an account, and limits that many requests do not reach. */
export async function prepare(): Promise<void> {
  await reset({ calm: true });
  await register();
  await makeUser(KNOWN);
  const [often, daily] = [{ limit: 30 }, { limit: 1_000 }];
  const sendings = ['magic-code.email', 'password-reset.email', 'email-verification.email'];
  const bounds = ['page-message.network.daily', 'page-message.everybody.daily'];
  await setSettings({
    limits: {
      ...Object.fromEntries(sendings.map((name) => [name, often])),
      ...Object.fromEntries(bounds.map((name) => [name, daily])),
      'sign-in.email.hourly': { limit: 600 },
      'sign-in.email.everybody': { limit: 3_000 },
    },
  });
}

/**
 * Opens a page of a sign-in.
 * @returns a function that sends its form, for an address in which `#` is the number of the request
 */
export async function openSender([, path, unknown, fields, settings]: (typeof FORMS)[number]): Promise<{
  known: Timed;
  unknown: Timed;
}> {
  await call('PUT', '/x/authentication/settings', settings);
  const person: Browser = browser();
  const { url } = await person.open(await authorizeUrl());
  const address = url.replace('/hosted/sign-in', path);
  const { text } = await person.open(address);
  const proof = /name="proof" value="([^"]*)"/.exec(text)?.[1] ?? '';
  const send =
    (email: string): Timed =>
    async (at) => {
      const body = new URLSearchParams({ proof, email: email.replace('#', String(at)), ...fields });
      const { status, headers } = await person.request(address, { method: 'POST', body });
      expect([status, headers.get('location')?.includes('stale')]).toEqual([302, false]);
      // An address may get thirty a minute.
      if (at % 24 === 0) await advance(61);
    };
  return { known: send(KNOWN), unknown: send(unknown) };
}
