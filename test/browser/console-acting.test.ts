import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';

import { allow, exchange } from '../areas/authentication/impersonating.ts';
import { environment, makeUser, registerRedirectUri } from '../areas/authentication/inside.ts';
import { openAccount } from '../support/account.ts';
import { consolePath } from '../support/console-pages.ts';
import { reset, service } from '../support/service.ts';
import { closeChromium, describeInChromium, findings, person, picture } from './chromium.ts';

const SLOW = 300_000;

let context: BrowserContext | undefined;
let page: Page;

beforeEach(async () => {
  await reset({ calm: true });
  await environment();
});
afterEach(() => context?.close(), SLOW);
afterAll(() => closeChromium());

const open = async (path: string) => page.goto((await service()).url + (await consolePath(path)));

/** Signs a new browser in to the console. */
async function begin(options: Parameters<typeof person>[0] = {}): Promise<void> {
  context = await person({ locale: 'en', viewport: { width: 1_280, height: 900 }, ...options });
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${(await service()).url}/_local/console`);
  await page.locator('form button[type=submit]').first().click();
  await page.waitForURL('**/console');
}

/** The accessibility findings of a page, also in a window of 320 pixels. */
async function check(name: string): Promise<unknown[]> {
  await page.setViewportSize({ width: 1_280, height: 900 });
  await picture(page, name);
  const serious: unknown[] = await findings(page);
  await page.setViewportSize({ width: 320, height: 800 });
  const tooWide = Number(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'));
  return tooWide > 0 ? [...serious, `${tooWide} pixels too wide`] : serious;
}

describeInChromium('an operator', () => {
  test.each([true, false])(
    'acts as a user by a form and a link, which opens one session, with JavaScript: %p',
    async (javaScriptEnabled) => {
      await registerRedirectUri();
      await allow();
      const userId = await makeUser({ email: 'ada@acme.example' });
      await begin({ javaScriptEnabled });
      await open(`users/${userId}`);
      await page.getByRole('link', { name: 'Act as the user' }).click();
      await page.locator('summary', { hasText: 'Act as this user' }).click();
      await page.getByLabel('Reason, for the log').fill('Ticket 4711: cannot see the report');
      await page.getByRole('button', { name: /^Act as this user in / }).click();
      const link = page.getByRole('link', { name: 'Open app.example.com as the user' });
      await link.waitFor();
      expect(page.url()).not.toContain('code=');
      expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
      const code = new URL((await link.getAttribute('href')) ?? '').searchParams.get('code') ?? '';
      const opened = await exchange(code);
      expect(opened).toMatchObject({
        status: 200,
        body: { user: { id: userId }, impersonator: { reason: 'Ticket 4711: cannot see the report' } },
      });
      await open(`users/${userId}`);
      await page.getByText(/impersonated by/).waitFor();
    },
    SLOW,
  );

  test.each(['light', 'dark'] as const)(
    'has no serious accessibility findings on the pages of impersonation, previews and the JWT template, %s',
    async (colorScheme) => {
      await registerRedirectUri();
      await allow();
      const userId = await makeUser({ email: 'ada@acme.example' });
      await begin({ colorScheme });
      const found: Record<string, unknown> = {};
      for (const path of [`users/${userId}/impersonate`, 'previews', 'previews?show=mail:magic-auth', 'jwt-template']) {
        await open(path);
        const serious = await check(`console-${path.replaceAll(/[^a-z-]/g, '')}-${colorScheme}`);
        if (serious.length > 0) found[path] = serious;
      }
      expect(found).toEqual({});
    },
    SLOW,
  );

  test.each([true, false])(
    'sees a page and a mail in two frames, in a chosen language, with JavaScript: %p',
    async (javaScriptEnabled) => {
      await begin({ javaScriptEnabled });
      await open('previews');
      await page.getByLabel('Page or mail').selectOption('mail:magic-auth');
      await page.getByLabel('Language').selectOption('de');
      await page.getByRole('button', { name: 'Show' }).click();
      await page.waitForURL('**show=mail*');
      for (const scheme of ['light', 'dark'])
        await page.frameLocator(`iframe[title*="${scheme}"]`).getByText('Ihr Anmeldecode').first().waitFor();
    },
    SLOW,
  );
});

describeInChromium('an impersonator', () => {
  test(
    'sees the account page with a banner and without a form, and axe finds nothing serious',
    async () => {
      await registerRedirectUri();
      await allow();
      const userId = await makeUser({ email: 'ada@acme.example' });
      await begin();
      await open(`users/${userId}/impersonate`);
      await page.locator('summary', { hasText: 'Act as this user' }).click();
      await page.getByLabel('Reason, for the log').fill('Ticket 4711');
      await page.getByRole('button', { name: /^Act as this user in / }).click();
      const href =
        (await page.getByRole('link', { name: 'Open app.example.com as the user' }).getAttribute('href')) ?? '';
      const { body } = await exchange(new URL(href).searchParams.get('code') ?? '');
      const [, claims = ''] = body.access_token.split('.');
      const { sid } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as { sid: string };
      const holder = await openAccount(userId, { session_id: sid });
      const { url } = await service();
      const [name = '', value = ''] =
        [...holder.person.cookies(new URL(url).host)].find(([each]) => each.startsWith('gatehouse_account_')) ?? [];
      await context?.addCookies([{ name, value, url }]);
      await page.goto((await holder.open()).url);
      await page.getByText('is acting as').waitFor();
      expect(await check('account-impersonated')).toEqual([]);
      await page.setViewportSize({ width: 1_280, height: 900 });
      await page.goto(`${page.url()}/password`);
      await page.getByText('Only the owner of the account can.').waitFor();
      expect(await page.locator('form').count()).toBe(0);
    },
    SLOW,
  );
});
