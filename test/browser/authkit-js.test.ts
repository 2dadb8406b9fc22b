import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';

import { PASSWORD } from '../areas/pages/application.ts';
import {
  accessToken,
  beginSignIn,
  signOut,
  type SinglePageApplication,
  type SiteService,
  startSinglePageApplication,
  startSiteService,
  signedInUser,
} from './authkit-application.ts';
import { closeChromium, describeInChromium, person } from './chromium.ts';
import * as steps from './steps.ts';

const EMAIL = 'ada@example.com';
const SLOW = 120_000;
const TOKEN = /^\w{78}[\w-]{65}$/;

describeInChromium('the official browser client, authkit-js', () => {
  let service: SiteService;
  let application: SinglePageApplication;
  let context: BrowserContext;
  let page: Page;

  const APP = () => application.at('app.gatehouse.localhost');
  const OTHER_SITE = () => application.at('app.elsewhere.localhost');
  const UNREGISTERED = () => application.at('other.gatehouse.localhost');

  beforeAll(async () => {
    service = await startSiteService();
    application = await startSinglePageApplication(service);
    for (const origin of [APP(), OTHER_SITE(), UNREGISTERED()]) {
      for (const path of ['/callback', '/dev']) {
        await service.call('POST', '/user_management/redirect_uris', { uri: `${origin}${path}` });
      }
    }
    for (const origin of [APP(), OTHER_SITE()]) await service.call('POST', '/user_management/cors_origins', { origin });
    await service.call('POST', '/user_management/users', { email: EMAIL, password: PASSWORD, email_verified: true });
  }, SLOW);

  beforeEach(async () => {
    await service.call('PUT', '/x/authentication/settings', {});
    context = await person({ locale: 'en' });
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
  });
  afterEach(() => context.close());
  afterAll(async () => {
    await application?.close();
    await service?.stop();
    await closeChromium();
  }, SLOW);

  /** Signs in on the hosted pages from a page of the application, and waits until its client has loaded again. */
  async function signIn(origin: string, path = '/callback'): Promise<string | null> {
    await page.goto(`${origin}${path}`);
    expect(await signedInUser(page)).toBe('Nobody');
    await beginSignIn(page);
    await steps.enter(page, EMAIL);
    await page.waitForURL((url) => url.href.startsWith(origin));
    return signedInUser(page);
  }

  async function reload(): Promise<string | null> {
    await page.reload();
    return signedInUser(page);
  }

  const cookies = async (): Promise<Record<string, string>> =>
    Object.fromEntries((await context.cookies()).map(({ name, value }) => [name.replace(/_\w{16}$/, ''), value]));
  const stored = (): Promise<Record<string, string>> => page.evaluate('({ ...localStorage })');
  const readable = (): Promise<string> => page.evaluate('document.cookie');

  describe('the official browser client at app.gatehouse.localhost, with a service at auth.gatehouse.localhost,', () => {
    test.each(['both', 'cookie'])(
      'signs in, keeps the session after a reload, refreshes and signs out (browser_refresh: %s)',
      async (browser_refresh) => {
        await service.call('PUT', '/x/authentication/settings', { browser_refresh });
        expect(await signIn(APP())).toBe(EMAIL);
        // The application's scripts can read the marker cookie, but neither the token nor other cookies of the service.
        expect(await readable()).toBe(`workos-has-session=${service.clientId}`);
        expect(await stored()).toEqual({});
        const token = (await cookies()).gatehouse_refresh ?? '';
        expect(token).toMatch(TOKEN);
        const [refreshCookie] = (await context.cookies()).filter(({ name }) => name.startsWith('gatehouse_refresh'));
        expect(refreshCookie).toMatchObject({ domain: 'auth.gatehouse.localhost', httpOnly: true, sameSite: 'Strict' });

        expect(await reload()).toBe(EMAIL);
        const second = (await cookies()).gatehouse_refresh;
        expect(second).not.toBe(token);
        await accessToken(page, true);
        expect((await cookies()).gatehouse_refresh).not.toBe(second);

        await signOut(page, `${APP()}/callback`, true);
        await page.waitForURL(`${APP()}/callback`);
        expect(await signedInUser(page)).toBe('Nobody');
        expect(await readable()).toBe('');
        expect(await cookies()).not.toHaveProperty('gatehouse_refresh');
      },
      SLOW,
    );

    test(
      'signs out without leaving the page',
      async () => {
        expect(await signIn(APP())).toBe(EMAIL);
        await signOut(page, `${APP()}/callback`, false);
        expect(await cookies()).not.toHaveProperty('gatehouse_refresh');
        expect(await reload()).toBe('Nobody');
      },
      SLOW,
    );

    test(
      'in devMode stores the refresh token of the response in localStorage, and needs no cookie',
      async () => {
        expect(await signIn(APP(), '/dev')).toBe(EMAIL);
        expect(Object.values(await stored())).toEqual([expect.stringMatching(TOKEN)]);
        expect(await cookies()).not.toHaveProperty('gatehouse_refresh');
        expect(await reload()).toBe(EMAIL);
        await service.call('PUT', '/x/authentication/settings', { browser_refresh: 'body' });
        expect(await reload()).toBe(EMAIL);
      },
      SLOW,
    );

    test(
      'without devMode signs in, but loses the session at a reload if browser_refresh is body',
      async () => {
        await service.call('PUT', '/x/authentication/settings', { browser_refresh: 'body' });
        expect(await signIn(APP())).toBe(EMAIL);
        expect(await readable()).toBe('');
        expect(await reload()).toBe('Nobody');
      },
      SLOW,
    );
  });

  test(
    'at a registered origin of another site signs in, has no session after a refresh or a reload, and gets one again from the hosted pages',
    async () => {
      expect(await signIn(OTHER_SITE())).toBe(EMAIL);
      expect(await readable()).toBe('');
      await accessToken(page);
      await expect(accessToken(page, true)).rejects.toThrow('No access token available');
      expect(await reload()).toBe('Nobody');
      // The user is still signed in to the hosted pages, which ask for no password.
      await beginSignIn(page);
      await page.waitForURL((url) => url.href.startsWith(OTHER_SITE()));
      await page.getByRole('heading', { name: EMAIL }).waitFor();
    },
    SLOW,
  );

  test(
    'at an unregistered origin gets no token',
    async () => {
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      expect(await signIn(UNREGISTERED())).toBe('Nobody');
      expect(complaints.join('\n')).toContain('blocked by CORS policy');
      expect(await readable()).toBe('');
      expect(await cookies()).not.toHaveProperty('gatehouse_refresh');
    },
    SLOW,
  );
});
