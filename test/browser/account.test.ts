import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';

import { mailedCode, makeUser, PASSWORD, totp } from '../areas/pages/application.ts';
import { accountAddress } from '../support/account.ts';
import { newOrganization } from '../support/organizations.ts';
import { call, now, reset } from '../support/service.ts';
import { addMembership, addSession } from '../support/users.ts';
import { closeChromium, describeInChromium, findings, person, picture } from './chromium.ts';
import { enterCode, press } from './steps.ts';

const EMAIL = 'ada@example.com';
const OTHER = 'ada.lovelace.of.the.analytical.engine@a-rather-long-name.example';
const NEW_PASSWORD = 'nine orange kites in rain';
const SLOW = 300_000;

let context: BrowserContext | undefined;
let page: Page;

beforeEach(() => reset({ calm: true }));
afterEach(() => context?.close(), SLOW);
afterAll(() => closeChromium());

/** Opens a page of the account, to which a sign-in with the password leads. */
async function signIn(section?: string): Promise<void> {
  await page.goto(await accountAddress(section));
  await page.getByLabel('Email address').fill(EMAIL);
  await press(page, 'Continue');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await press(page, 'Sign in');
}

/** Walks through every section as a user who signs in on the way. @param look Called with each page */
async function walk(look: (name: string) => Promise<void>): Promise<void> {
  const userId = await makeUser(EMAIL, { first_name: 'Ada', last_name: 'Lovelace' });
  await call('PUT', '/x/account/settings', { sections: { deletion: true } });
  await addMembership(userId, await newOrganization('The Society for the Promotion of Engines'));
  await addSession(userId);
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
  const open = async (section: string) => page.goto(await accountAddress(section));

  await signIn();
  await heading('Your account');
  await look('overview');
  await page.getByRole('link', { name: 'Open: Name' }).click();
  await page.getByLabel('First name').fill('Augusta');
  await look('name');
  await press(page, 'Save');
  await page.getByText('Your name is saved').waitFor();
  await open('authenticator');
  await page.getByText('Can’t scan the code?').click();
  const secret = (await page.locator('details code').innerText()).replaceAll(' ', '');
  await look('authenticator');
  await enterCode(page, await totp(secret, await now()), 'Add an authenticator app');
  await page.getByText('The authenticator app is added').waitFor();
  await look('authenticator-added');
  await open('recovery_codes');
  await page.getByText('Codes left: 0').waitFor();
  await look('recovery-codes');
  await press(page, 'Create new codes');
  await page.getByText('Save your recovery codes').waitFor();
  expect((await page.locator('pre').innerText()).trim().split('\n')).toHaveLength(10);
  await look('recovery-codes-created');
  await open('authenticator');
  await press(page, 'Remove');
  await page.getByText('The method is removed').waitFor();
  await open('sessions');
  await look('sessions');
  await page.getByRole('button', { name: /^Sign out: / }).click();
  await page.getByText('The device is signed out').waitFor();
  await open('connected_accounts');
  await look('connected-accounts');
  await open('organizations');
  await look('organizations');
  await page.getByRole('button', { name: /^Leave: / }).click();
  await page.getByText('You left the organization').waitFor();
  await open('password');
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await look('password');
  await press(page, 'Save');
  await page.getByText('Your password is saved').waitFor();
  await open('email');
  await page.getByLabel('New email address').fill(OTHER);
  await look('email');
  await press(page, 'Send code');
  await look('email-code');
  await enterCode(page, await mailedCode(OTHER), 'Change address');
  await page.getByText('Your email address is changed').waitFor();
  await look('overview-changed');
  await open('data');
  await look('data');
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Download')]);
  expect(download.suggestedFilename()).toBe('account.json');
  await open('confirm?to=name');
  await look('confirm');
  await press(page, 'Email me a code');
  await look('confirm-code');
  await open('deletion');
  await page.getByLabel(`Enter ${OTHER} to confirm`).fill(OTHER);
  await look('deletion');
  await press(page, 'Delete account');
  await heading('Your account is deleted');
  await look('deleted');
}

/** Opens a browser of a person. */
async function begin(options: Parameters<typeof person>[0]): Promise<void> {
  context = await person({ locale: 'en', ...options });
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
}

describeInChromium('the account page', () => {
  describe.each([
    ['light', 1_280],
    ['dark', 320],
  ] as const)('in the %s scheme', (colorScheme, width) => {
    test(
      `has no serious accessibility findings, and no page is wider than a window of ${width} pixels`,
      async () => {
        const found: Record<string, unknown> = {};
        await begin({ colorScheme, viewport: { width, height: 900 } });
        await walk(async (name) => {
          await picture(page, `account-${name}-${colorScheme}`);
          const serious = await findings(page);
          const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
          if (serious.length > 0 || wide > 0) found[name] = { serious, wide };
        });
        expect(found).toEqual({});
      },
      SLOW,
    );
  });

  test(
    'creates, renames and removes a passkey of the device',
    async () => {
      await makeUser(EMAIL);
      const methods = { passkey: true };
      await call('PUT', '/x/authentication/settings', { methods });
      await begin({});
      const devices = await context?.newCDPSession(page);
      await devices?.send('WebAuthn.enable');
      const options = {
        protocol: 'ctap2' as const,
        transport: 'internal' as const,
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      };
      await devices?.send('WebAuthn.addVirtualAuthenticator', { options });
      await signIn('passkeys');
      await press(page, 'Create a passkey');
      await page.getByText('The passkey is added').waitFor();
      await picture(page, 'account-passkeys');
      expect(await findings(page)).toEqual([]);
      await press(page, 'Create a passkey');
      await page.getByText('This device already has a passkey for your account').waitFor();
      await page.getByText('Rename', { exact: true }).click();
      await page.getByLabel('Name of the passkey').fill('This laptop');
      await press(page, 'Save');
      await page.getByText('The passkey has its new name').waitFor();
      await page.getByRole('button', { name: 'Remove: This laptop' }).click();
      await page.getByText('The passkey is removed').waitFor();
    },
    SLOW,
  );

  test(
    'is complete without JavaScript',
    async () => {
      await begin({ javaScriptEnabled: false });
      const seen: string[] = [];
      await walk(async (name) => void seen.push(name));
      expect(seen.at(-1)).toBe('deleted');
    },
    SLOW,
  );
});
