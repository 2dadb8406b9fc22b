import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';

import { consolePath } from '../support/console-pages.ts';
import { fillEnvironment, type Records } from '../support/console-records.ts';
import { PAYLOADS } from '../support/payloads.ts';
import { call, idle, now, reset, service } from '../support/service.ts';
import { addSession } from '../support/users.ts';
import { closeChromium, describeInChromium, findings, person, picture } from './chromium.ts';

const SLOW = 300_000;

let context: BrowserContext | undefined;
let page: Page;

beforeEach(() => reset({ calm: true }));
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

const readHeading = () => page.locator('h1').innerText();

/** The pages of one of each kind, with their names. */
const listPages = ({ userId, organizationId }: Records): Record<string, string> => ({
  overview: '',
  search: 'search',
  users: 'users',
  user: `users/${userId}`,
  access: `users/${userId}/access`,
  sign_in: `users/${userId}/sign-in`,
  organizations: 'organizations',
  organization: `organizations/${organizationId}`,
  records: `organizations/${organizationId}/records`,
  events: 'events',
  connections: 'connections',
  authorization: 'authorization',
  flags: 'flags',
  radar: 'radar',
  vault: 'vault',
  branding: 'branding',
});

/** Elements that the templates of the console never make, and handlers that they never have. */
const FOREIGN = [
  'img,iframe:not([sandbox=""]),object,embed,video,audio,math,marquee,style,base,template,noscript,dialog:not([aria-label="Palette"])',
  'script:not([src^="/console/assets/"])',
  'link:not([rel=icon],[rel=stylesheet][href^="/console/assets/"])',
  'meta[http-equiv]',
  '[onerror],[onload],[onclick],[onfocus],[onmouseover],[ontoggle],[onbegin],[onstart]',
  '[href^="javascript:"],[action^="javascript:"],[formaction]',
].join(',');

describeInChromium('the console', () => {
  describe.each(['light', 'dark'] as const)('in the %s scheme', (colorScheme) => {
    test(
      'has no serious accessibility findings, and no page is wider than a window of 320 pixels',
      async () => {
        const records = await fillEnvironment(() => 'An ordinary name');
        await addSession(records.userId);
        await begin({ colorScheme });
        const found: Record<string, unknown> = {};
        for (const [name, path] of Object.entries(listPages(records))) {
          await page.setViewportSize({ width: 1_280, height: 900 });
          await open(path);
          await picture(page, `console-${name}-${colorScheme}`);
          const serious = await findings(page);
          if (serious.length > 0) found[name] = serious;
          await page.setViewportSize({ width: 320, height: 800 });
          await picture(page, `console-${name}-${colorScheme}-320`);
          const tooWide = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
          if (Number(tooWide) > 0) found[`${name} at 320 px`] = tooWide;
        }
        expect(found).toEqual({});
      },
      SLOW,
    );
  });

  test(
    'shows times by the clock of the service, in a browser whose clock is four days late, with the time itself where there is room',
    async () => {
      const { userId } = await fillEnvironment(() => 'An ordinary name');
      await begin();
      await page.clock.setSystemTime((await now()) - 4 * 86_400_000);
      await open(`users/${userId}`);
      const created = page.locator('dt', { hasText: 'Created' }).locator('xpath=following-sibling::dd');
      expect(await created.innerText()).toMatch(/^(now|\d+ (second|minute)s? ago) · .*\d{4}/);
    },
    SLOW,
  );

  test.each([true, false])(
    'finds a user and revokes a session, with JavaScript: %p',
    async (javaScriptEnabled) => {
      const { userId } = await fillEnvironment(() => 'An ordinary name');
      await addSession(userId);
      await begin({ javaScriptEnabled });
      await page.getByRole('link', { name: 'Local' }).first().click();
      await page.getByRole('link', { name: 'Users', exact: true }).click();
      await page.getByLabel('Email address').fill('ada@acme.example');
      await page.getByRole('button', { name: 'Filter' }).click();
      await page.locator('td a').first().click();
      await page.locator('summary', { hasText: 'Revoke' }).first().click();
      await page.getByLabel('Reason, for the log').first().fill('Ticket 4711: lost phone');
      await page
        .getByRole('button', { name: /^Revoke in / })
        .first()
        .click();
      await page.getByText('The session is revoked.').waitFor();
      const { body } = await call<{ data: { status: string }[] }>('GET', `/user_management/users/${userId}/sessions`);
      expect(body.data.map(({ status }) => status)).not.toContain('active');
    },
    SLOW,
  );

  test(
    'is used by keyboard: the palette, the search field and the shortcuts of pages',
    async () => {
      await fillEnvironment(() => 'An ordinary name');
      await begin();
      await open('');
      await page.keyboard.press('Control+k');
      await page.keyboard.type('feature');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/flags');
      await page.keyboard.press('g');
      await page.keyboard.press('u');
      await page.waitForURL('**/users');
      expect(await readHeading()).toBe('Users');
      await page.keyboard.press('/');
      await page.keyboard.type('ada@acme.example');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/search?q=ada*');
      await page.keyboard.press('Control+k');
      await page.keyboard.press('Escape');
      expect(await page.locator('dialog[open]').count()).toBe(0);
    },
    SLOW,
  );

  test(
    'shows new events while the page is open',
    async () => {
      await call('POST', '/organizations', { name: 'Before' });
      await idle();
      await begin();
      await open('events');
      await page.getByRole('button', { name: 'Follow live' }).click();
      await page.getByText('Live. New events appear').waitFor();
      await call('POST', '/user_management/users', { email: 'bob@acme.example' });
      await page.getByRole('link', { name: 'user.created' }).first().waitFor();
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByText('Paused.').waitFor();
    },
    SLOW,
  );

  /**
   * Visits the pages that show the payloads.
   * @returns the number that ran, among them navigations by a payload; the blocked ones; elements that are not the console's
   */
  async function visitWithPayloads(records: Records): Promise<{ ran: number; blocked: string[]; foreign: number }> {
    let ran = 0;
    const blocked: string[] = [];
    await page.exposeFunction('pwned', () => (ran += 1));
    page.on('console', (message) => {
      if (/Content Security Policy|TrustedHTML|Trusted Type/.test(message.text())) blocked.push(message.text());
    });
    let foreign = 0;
    for (const path of Object.values(listPages(records))) {
      await open(path).catch((error: unknown) => {
        // A payload, such as a refresh, can send the browser elsewhere.
        if (!String(error).includes('interrupted by another navigation')) throw error;
        ran += 1;
      });
      foreign += await page.locator(FOREIGN).count();
    }
    return { ran, blocked, foreign };
  }

  async function fillWithPayloads(): Promise<Records> {
    let at = 0;
    const records = await fillEnvironment((most = 255) => (PAYLOADS[at++ % PAYLOADS.length] ?? '').slice(0, most));
    for (const name of PAYLOADS) await call('POST', '/organizations', { name });
    await idle();
    return records;
  }

  test(
    'runs none of 60 texts with markup, and the browser has none to block',
    async () => {
      const records = await fillWithPayloads();
      await begin();
      expect(await visitWithPayloads(records)).toEqual({ ran: 0, blocked: [], foreign: 0 });
    },
    SLOW,
  );

  test(
    'fails the same visit if values are not escaped',
    async () => {
      const records = await fillWithPayloads();
      await begin();
      await page.route('**/console/**', async (route) => {
        const response = await route.fetch();
        const isPage = response.headers()['content-type']?.includes('text/html') === true;
        const text = await response.text();
        const body = text
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&quot;', '"')
          .replaceAll('&#39;', "'");
        await route.fulfill({ response, body: isPage ? body : text });
      });
      const { foreign, blocked } = await visitWithPayloads(records);
      expect(foreign).toBeGreaterThan(10);
      expect(blocked.length).toBeGreaterThan(0);
    },
    SLOW,
  );
});
