import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';

import { call, reset, service } from '../support/service.ts';
import {
  closeChromium,
  closeProfile,
  describeInChromium,
  findings,
  measureOverflow,
  openProfile,
  picture,
} from './chromium.ts';

const SLOW = 180_000;

let page: Page;

beforeEach(() => reset({ calm: true }));
afterEach(() => closeProfile(), SLOW);
afterAll(() => closeChromium());

async function open(path: string, options: Parameters<typeof openProfile>[0] = {}): Promise<void> {
  page = await openProfile(options);
  await goTo(path);
}

const goTo = async (path: string): Promise<void> => void (await page.goto(`${(await service()).url}${path}`));

/** Types into the search. @returns the addresses of the results, the best first */
async function search(query: string): Promise<string[]> {
  await page.keyboard.press('/');
  await page.keyboard.type(query);
  await page.locator('#results a').first().waitFor();
  return page
    .locator('#results a')
    .evaluateAll((links) => links.map((link) => new URL((link as unknown as { href: string }).href).pathname));
}

/** Questions of a developer, with the page that has the answer. */
const QUESTIONS: readonly (readonly [query: string, page: RegExp])[] = [
  ['login', /guides\/sign-in/],
  ['totp', /mfa|multi-factor|auth-factors|authentication/],
  ['pagination', /guides\/pagination/],
  ['idempotency', /guides\/idempotency/],
  ['webhook signature', /guides\/webhook-signatures/],
  ['rate limit', /guides\/rate-limits/],
  ['invite a user', /invitation/],
  ['list organizations', /organizations/],
  ['mfa_challenge', /errors\/mfa_challenge/],
  ['user.created', /event-types\/user\.created/],
];

describeInChromium('the reference at /docs', () => {
  test(
    'finds the page of each of ten questions by its search, each among the first three results',
    async () => {
      await open('/docs');
      const missed: Record<string, string[]> = {};
      for (const [query, wanted] of QUESTIONS) {
        await goTo('/docs');
        const found = (await search(query)).slice(0, 3);
        if (!found.some((address) => wanted.test(address))) missed[query] = found;
      }
      expect(missed).toEqual({});
      await page.locator('#results a').first().click();
      await page.waitForURL(/event-types\/user\.created/);
    },
    SLOW,
  );

  test(
    'opens at the operation that a link names',
    async () => {
      await open('/docs/organizations/organizations#organizations.create');
      const box = await page.locator('[id="organizations.create"]').boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual(0);
      expect(box?.y).toBeLessThan(900);
    },
    SLOW,
  );

  test(
    'sends a call from the page and shows its response',
    async () => {
      await open('/docs/organizations/organizations');
      const section = page.locator('article', { has: page.locator('[id="organizations.create"]') });
      await section.getByText('Try it').click();
      await section.locator('[name=key]').waitFor();
      await section.locator('[name=body]').fill('{"name": "Made from the page"}');
      await section.getByRole('button', { name: 'Send POST' }).click();
      await section.locator('output strong', { hasText: '201' }).waitFor();
      await section.locator('[name=body]').fill('{"name": ""}');
      await section.getByRole('button', { name: 'Send POST' }).click();
      await section.locator('output strong', { hasText: '422' }).waitFor();
      const { body } = await call<{ data: { name: string }[] }>('GET', '/organizations');
      expect(body.data.map(({ name }) => name)).toEqual(['Made from the page']);
      expect(await page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain(
        'sk_',
      );
    },
    SLOW,
  );

  test(
    'shows an example in the chosen language on every page',
    async () => {
      await open('/docs/organizations/organizations');
      await page.getByRole('tab', { name: 'Python' }).first().click();
      await page.locator('[data-language=Python]').first().waitFor();
      await goTo('/docs/user-management/users');
      expect(await page.locator('[data-language=Python]').first().isVisible()).toBe(true);
      expect(await page.locator('[data-language=curl]').first().isVisible()).toBe(false);
    },
    SLOW,
  );

  test(
    'needs at most 250 KB for a first view with a search',
    async () => {
      await open('/docs/unknown');
      const session = await page.context().newCDPSession(page);
      await session.send('Network.enable');
      let received = 0;
      session.on('Network.loadingFinished', ({ encodedDataLength }) => (received += encodedDataLength));
      await goTo('/docs');
      await search('login');
      expect(received).toBeGreaterThan(10_000);
      expect(received).toBeLessThan(250_000);
    },
    SLOW,
  );

  test.each(['light', 'dark'] as const)(
    'has no serious accessibility finding and no overflow at 360 px in the %s scheme',
    async (colorScheme) => {
      const found: Record<string, string[]> = {};
      for (const width of [360, 1280]) {
        await open('/docs', { colorScheme, viewport: { width, height: 900 } });
        for (const path of [
          '/docs',
          '/docs/organizations/organizations',
          '/docs/authentication/authentication',
          '/docs/errors',
          '/docs/errors/mfa_challenge',
          '/docs/event-types/user.created',
          '/docs/guides/webhook-signatures',
          '/docs/guides/sso',
        ]) {
          await goTo(path);
          await picture(page, `docs-${path.split('/').at(-1)}-${width}-${colorScheme}`);
          const wrong = [...(await findings(page)), ...((await measureOverflow(page)) > 0 ? ['overflow'] : [])];
          if (wrong.length > 0) found[`${path} ${width}`] = wrong;
        }
      }
      expect(found).toEqual({});
    },
    SLOW,
  );
});
