import { beforeEach, expect, test } from '@jest/globals';

import { browser, type Page } from '../../support/browser.ts';
import { advance, call, messages, reset } from '../../support/service.ts';
import { setSettings } from '../../support/settings.ts';
import { authorizeUrl, makeUser, PASSWORD, register } from './application.ts';

beforeEach(async () => {
  await reset();
  await register();
  await call('PUT', '/x/authentication/settings', { new_device: 'sms_challenge' });
});

let count = 0;

/** Signs in a new user, who has to enter a phone number. */
async function asked(): Promise<{ person: ReturnType<typeof browser>; page: Page }> {
  const email = `person-${(count += 1)}@example.com`;
  await makeUser(email);
  const person = browser();
  const password = await person.submit(await person.open(await authorizeUrl()), { email });
  const page = await person.submit(password, { password: PASSWORD });
  expect(page.url).toContain('/hosted/verify-phone');
  return { person, page };
}

test('codes to unproven phone numbers are limited by the client address, including those that are sent again', async () => {
  await setSettings({ limits: { 'sms.address': { limit: 3 } } });
  const first = await asked();
  const code = await first.person.submit(first.page, { phone_number: '+15005550100' });
  await first.person.submit(code, { do: 'resend' });
  const second = await asked();
  await second.person.submit(second.page, { phone_number: '+15005550101' });
  const third = await asked();
  const rejected = await third.person.submit(third.page, { phone_number: '+15005550102' });
  expect([rejected.url.includes('/hosted/verify-phone'), rejected.text]).toEqual([
    true,
    expect.stringContaining('Too many attempts'),
  ]);
  expect((await first.person.submit(code, { do: 'resend' })).text).toContain('Too many attempts');
  expect((await messages()).filter(({ channel }) => channel === 'sms')).toHaveLength(3);
  await advance(600);
  const again = await asked();
  await again.person.submit(again.page, { phone_number: '+15005550102' });
  expect(await messages('+15005550102')).toHaveLength(1);
});

test('the SMS of a page ends with the host of the page and the code, which phones fill in there only', async () => {
  const { person, page } = await asked();
  await person.submit(page, { phone_number: '+15005550109' });
  const [sms] = await messages('+15005550109');
  const { hostname } = new URL(page.url);
  expect(sms?.text?.split('\n').slice(-2)).toEqual(['', `@${hostname} #${sms?.code ?? ''}`]);
});
