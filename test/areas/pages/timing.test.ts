import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser, type Browser } from '../../support/browser.ts';
import { makeSameCalls } from '../../support/costs.ts';
import { advance, call, reset } from '../../support/service.ts';
import { setSettings } from '../../support/settings.ts';
import { type Timed, compareTimes } from '../../support/timing.ts';
import { authorizeUrl, makeUser, PASSWORD, register } from './application.ts';

const EMAIL = 'ada@example.com';
const SAMPLES = 40;
const SLOW = 180_000;

let person: Browser;

beforeEach(async () => {
  await reset({ calm: true });
  await register();
  await makeUser(EMAIL);
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
  person = browser();
});

/** Sends one page's form repeatedly, like an attacker who measures the time. */
async function sender(path: string, fields: Record<string, string>): Promise<(email: string) => Timed> {
  const { url } = await person.open(await authorizeUrl());
  const address = url.replace('/hosted/sign-in', path);
  const { text } = await person.open(address);
  const proof = /name="proof" value="([^"]*)"/.exec(text)?.[1] ?? '';
  return (email) => async (at) => {
    const body = new URLSearchParams({ proof, email: email.replace('#', String(at)), ...fields });
    const { status, headers } = await person.request(address, { method: 'POST', body });
    expect([status, headers.get('location')?.includes('stale')]).toEqual([302, false]);
    // An address gets thirty a minute.
    if (at % 24 === 0) await advance(61);
  };
}

const ANSWERS = [
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

describe('the existence of an account', () => {
  test.each(ANSWERS)('does not change the AWS calls %s', async (_title, path, unknown, fields, settings) => {
    await call('PUT', '/x/authentication/settings', settings);
    const send = await sender(path, fields);
    const [known, unknownUser] = [send(EMAIL), send(unknown)];
    // Settings and keys are cached from here on.
    await Promise.all([known(1), unknownUser(2)]);
    let at = 2;
    const compared = await makeSameCalls(
      'pages-http',
      () => known((at += 1)),
      () => unknownUser((at += 1)),
    );
    expect(compared).toMatchObject({ isSame: true, calls: [{ 'table.TransactWriteItems': 1 }, {}] });
  });

  test.each(ANSWERS)(
    'is not revealed by the response time %s (Welch’s t-test)',
    async (_title, path, unknown, fields, settings) => {
      await call('PUT', '/x/authentication/settings', settings);
      const send = await sender(path, fields);
      const timing = await compareTimes([send(EMAIL), send(unknown)], SAMPLES);
      expect(timing).toMatchObject({ isDistinguishable: false });
    },
    SLOW,
  );
});
