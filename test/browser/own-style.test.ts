import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import type { BrowserContext } from 'playwright-core';

import { authorizeUrl } from '../areas/pages/application.ts';
import { call, reset } from '../support/service.ts';
import { application, type Application } from './application.ts';
import { closeChromium, describeInChromium, findings, person, picture } from './chromium.ts';

const SLOW = 120_000;

/** Rules at the bounds of what is allowed. */
const CSS = `.card { border-radius: 48px; border-width: 4px; border-color: var(--accent); max-width: 40rem; padding: 40px; padding-block: 64px;
    background-image: linear-gradient(135deg, var(--surface), var(--bg)); box-shadow: 64px 64px 64px 64px #000, 0 -64px #fff }
  .lead, label { font-size: 14px; font-weight: 300; line-height: 1.2; letter-spacing: -1px; text-transform: uppercase }
  h1 { font-size: 40px; text-align: end; margin: 16px; padding: 16px; margin-block: 64px }
  form, .stack, label, .lead { margin-inline: 16px; padding-inline: 16px } form, .stack { gap: 8px } .button { border-radius: 0; margin-top: 64px } footer { padding: 16px; background-color: var(--surface) }
  body { align-items: end; justify-content: end }`;

let app: Application;
let context: BrowserContext | undefined;

beforeEach(async () => {
  await reset({ calm: true });
  app = await application();
  const { status } = await call('PUT', '/x/pages/style', { css: CSS });
  expect(status).toBe(200);
  const links = { terms_url: 'https://example.com/terms', privacy_url: 'https://example.com/privacy' };
  await call('PUT', '/x/pages/settings', links);
}, SLOW);

afterEach(async () => {
  await context?.close();
  await app.close();
}, SLOW);

afterAll(() => closeChromium());

describeInChromium('own style rules at their bounds', () => {
  test.each([
    ['light', 360],
    ['dark', 1_280],
  ] as const)(
    'apply, and leave every text readable and in the window: %s scheme, %d px',
    async (colorScheme, width) => {
      context = await person({ locale: 'en', colorScheme, viewport: { width, height: 800 } });
      const page = await context.newPage();
      for (const screen_hint of ['sign-in', 'sign-up']) {
        await page.goto(await authorizeUrl({ redirect_uri: app.callback, screen_hint }));
        await picture(page, `own-style-${screen_hint}-${width}`);
        expect(await page.locator('.card').evaluate((card) => getComputedStyle(card).borderTopLeftRadius)).toBe('48px');
        const heading = await page.getByRole('heading', { level: 1 }).evaluate((own) => own.clientWidth);
        expect(heading).toBeGreaterThan(160);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(overflow).toBeLessThanOrEqual(0);
        expect(await findings(page)).toEqual([]);
        for (const link of ['Terms of Service', 'Privacy Policy']) {
          const place = page.getByRole('link', { name: link }).first();
          await place.scrollIntoViewIfNeeded();
          // A click is only possible if nothing covers the link.
          await place.click({ trial: true });
        }
      }
    },
    SLOW,
  );
});
