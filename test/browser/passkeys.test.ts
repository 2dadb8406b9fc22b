import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';

import { makeUser, PASSWORD } from '../areas/pages/application.ts';
import { call, reset, sdk, service } from '../support/service.ts';
import { application, type Application } from './application.ts';
import { closeChromium, describeInChromium, findings, person, picture } from './chromium.ts';
import * as steps from './steps.ts';

const EMAIL = 'ada@example.com';
const SLOW = 120_000;

let app: Application;
let context: BrowserContext;
let page: Page;
let devTools: CDPSession;
let userId: string;

/** A new browser with an authenticator of its own. @returns the id of the authenticator */
async function newBrowser({ isPresent = true } = {}): Promise<string> {
  await context?.close();
  context = await person({ locale: 'en' });
  page = await context.newPage();
  devTools = await context.newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: isPresent,
  } as const;
  return (await devTools.send('WebAuthn.addVirtualAuthenticator', { options })).authenticatorId;
}

/** Signs in with the password, and creates the passkey that the pages offer. */
async function enroll(): Promise<void> {
  await steps.begin(page, app);
  await steps.enter(page, EMAIL);
  await page.getByRole('button', { name: 'Create a passkey' }).click();
  await steps.arrive(page, app);
}

/** Gives the passkeys of one authenticator to another, as a synchronizing platform does. */
async function copyCredentials(from: string): Promise<unknown[]> {
  const { credentials } = await devTools.send('WebAuthn.getCredentials', { authenticatorId: from });
  return credentials;
}

const listPasskeys = async () =>
  (await call<{ data: { id: string; last_used_at: string | null }[] }>('GET', `/x/passkeys?user_id=${userId}`)).body
    .data;

beforeEach(async () => {
  await reset({ calm: true });
  app = await application();
  userId = await makeUser(EMAIL);
  await call('PUT', '/x/authentication/settings', { methods: { passkey: true } });
}, SLOW);

afterEach(async () => {
  await context?.close();
  await app.close();
}, SLOW);

afterAll(() => closeChromium());

describeInChromium('passkeys in Chromium', () => {
  test(
    'a passkey is created after a sign-in, and the browser offers it at the email field of the next',
    async () => {
      const authenticatorId = await newBrowser();
      await steps.begin(page, app);
      await steps.enter(page, EMAIL);
      await page.getByRole('button', { name: 'Create a passkey' }).waitFor();
      await picture(page, 'passkey-offer');
      expect(await findings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Create a passkey' }).click();
      await steps.arrive(page, app);
      const { credentials } = await devTools.send('WebAuthn.getCredentials', { authenticatorId });
      expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }]);
      await context.clearCookies();
      await steps.begin(page, app);
      // The virtual authenticator selects its passkey as soon as the page lets the browser offer it.
      await steps.arrive(page, app);
      expect((await listPasskeys())[0]?.last_used_at).toEqual(expect.any(String));
    },
    SLOW,
  );

  test(
    'a passkey is the second factor of a user who signs in with the password',
    async () => {
      const authenticatorId = await newBrowser();
      await enroll();
      await call('PUT', '/x/authentication/settings', { methods: { passkey: true }, mfa: 'required' });
      await context.clearCookies();
      await devTools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false });
      await steps.begin(page, app);
      await steps.enter(page, EMAIL);
      await page.getByRole('button', { name: 'Use a passkey' }).waitFor();
      await picture(page, 'passkey-challenge');
      expect(await findings(page)).toEqual([]);
      await devTools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true });
      await page.getByRole('button', { name: 'Use a passkey' }).click();
      await steps.arrive(page, app);
    },
    SLOW,
  );

  test(
    'a deleted passkey leads to a message, and a copy on another device signs in before that',
    async () => {
      const first = await newBrowser();
      await enroll();
      const [credential] = await copyCredentials(first);
      const second = await newBrowser();
      await devTools.send('WebAuthn.addCredential', {
        authenticatorId: second,
        credential: { ...(credential as object), signCount: 100 } as never,
      });
      await steps.begin(page, app);
      await steps.arrive(page, app);
      const [{ id = '' } = {}] = await listPasskeys();
      await call('DELETE', `/x/passkeys/${id}`);
      await context.clearCookies();
      await steps.begin(page, app);
      await page.getByText('isn’t registered').waitFor();
      expect(await findings(page)).toEqual([]);
    },
    SLOW,
  );

  test(
    'a passkey of another domain is not offered by the browser',
    async () => {
      const authenticatorId = await newBrowser();
      await enroll();
      const [credential] = await copyCredentials(authenticatorId);
      const other = await newBrowser();
      await devTools.send('WebAuthn.addCredential', {
        authenticatorId: other,
        credential: { ...(credential as object), rpId: 'elsewhere.example' } as never,
      });
      await steps.begin(page, app);
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await page.getByText('No passkey was used').waitFor();
      expect(new URL(page.url()).origin).toBe((await service()).url);
    },
    SLOW,
  );

  test(
    'a sign-in by the official client continues with the passkey that the hosted page creates',
    async () => {
      await call('PUT', '/x/authentication/settings', { methods: { passkey: true }, passkey_enrollment_grants: true });
      const authenticatorId = await newBrowser();
      const { clientId } = await service();
      const signIn = () =>
        sdk().userManagement.authenticateWithPassword({ clientId, email: EMAIL, password: PASSWORD });
      const error = (await signIn().catch((thrown: unknown) => thrown)) as {
        code: string;
        rawData: { pending_authentication_token: string };
      };
      expect(error.code).toBe('passkey_progressive_enrollment');
      const url = new URL(
        sdk().userManagement.getAuthorizationUrl({ provider: 'authkit', clientId, redirectUri: app.callback }),
      );
      url.searchParams.set('pending_authentication_token', error.rawData.pending_authentication_token);
      await page.goto(url.href);
      await page.getByText(EMAIL).waitFor();
      await picture(page, 'passkey-offer-after-grant');
      expect(await findings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Create a passkey' }).click();
      await page.getByRole('heading', { name: 'Signed in' }).waitFor();
      const code = new URL(page.url()).searchParams.get('code') ?? '';
      expect((await sdk().userManagement.authenticateWithCode({ clientId, code })).user.id).toBe(userId);
      const { credentials } = await devTools.send('WebAuthn.getCredentials', { authenticatorId });
      expect(credentials).toHaveLength(1);
      expect((await signIn()).user.id).toBe(userId);
      // The passkey of the offer signs in on the hosted pages.
      await steps.begin(page, app);
      expect((await steps.arrive(page, app)).authentication_method).toBe('Passkey');
    },
    SLOW,
  );

  test(
    'a browser without JavaScript sees no passkeys, and signs in',
    async () => {
      await context?.close();
      context = await person({ locale: 'en', javaScriptEnabled: false });
      page = await context.newPage();
      await steps.begin(page, app);
      expect(await page.getByText('passkey').filter({ visible: true }).count()).toBe(0);
      await steps.enter(page, EMAIL);
      await steps.arrive(page, app);
    },
    SLOW,
  );
});
