import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';

import { consolePath } from '../support/console-pages.ts';
import { call, idle, reset, service } from '../support/service.ts';
import { closeChromium, describeInChromium, findings, measureOverflow, person, picture } from './chromium.ts';

const SLOW = 300_000;
const INVITED = 30;

let context: BrowserContext | undefined;
let page: Page;

beforeEach(async () => {
  await reset({ calm: true });
  for (let at = 0; at < INVITED; at += 1) {
    await call('POST', '/user_management/invitations', { email: `person-${at}@acme.example` });
  }
  await idle();
}, SLOW);
afterEach(() => context?.close(), SLOW);
afterAll(() => closeChromium());

const open = async (path: string) => page.goto((await service()).url + (await consolePath(path)));

/** Signs a new browser in to the console. */
async function begin(options: Parameters<typeof person>[0]): Promise<void> {
  context = await person({ locale: 'en', viewport: { width: 1_280, height: 900 }, ...options });
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${(await service()).url}/_local/console`);
  await page.locator('form button[type=submit]').first().click();
  await page.waitForURL('**/console');
}

async function countRevoked(): Promise<number> {
  const { body } = await call<{ data: { state: string }[] }>('GET', '/user_management/invitations?limit=100');
  return body.data.filter(({ state }) => state === 'revoked').length;
}

describeInChromium('many records and exports in the console', () => {
  test.each([true, false])(
    'are chosen, tried, confirmed and done with JavaScript: %s',
    async (javaScriptEnabled) => {
      await begin({ javaScriptEnabled });
      await open('invitations');
      const boxes = page.locator('input[name^="pick:"]');
      expect(await boxes.count()).toBe(INVITED);
      expect(await findings(page)).toEqual([]);
      if (javaScriptEnabled) {
        await page.getByLabel('Select all on this page').focus();
        await page.keyboard.press('Space');
        await page.getByText(`${INVITED} selected`).waitFor();
        await boxes.first().focus();
        await page.keyboard.press('Space');
        await page.getByText(`${INVITED - 1} selected`).waitFor();
        await page.keyboard.press('Space');
      } else {
        for (const box of await boxes.all()) await box.check();
      }
      await picture(page, `many-selected-${javaScriptEnabled}`);
      await page.locator('#bulk button', { hasText: 'Revoke' }).click();
      await page.getByText(`Dry run: ${INVITED} possible`).waitFor();
      expect(await findings(page)).toEqual([]);
      await picture(page, `many-tried-${javaScriptEnabled}`);
      expect(await countRevoked()).toBe(0);
      await page.locator('input[name=typed]').fill(`revoke ${INVITED} invitations`);
      await page.locator('input[name=reason]').fill('Ticket 4711: wrong campaign');
      await page.locator('main form button[type=submit]').first().click();
      if (!javaScriptEnabled) await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText(`Finished: ${INVITED} done`).waitFor();
      await picture(page, `many-done-${javaScriptEnabled}`);
      expect(await findings(page)).toEqual([]);
      expect(await countRevoked()).toBe(INVITED);
      await page.setViewportSize({ width: 320, height: 800 });
      expect(await measureOverflow(page)).toBeLessThanOrEqual(0);
    },
    SLOW,
  );

  test.each([true, false])(
    'are exported, downloaded and deleted with JavaScript: %s',
    async (javaScriptEnabled) => {
      await begin({ javaScriptEnabled });
      await open('invitations');
      await page.locator('main summary', { hasText: 'Export' }).last().click();
      const form = page.locator('form:has(input[value="export"])');
      await form.locator('input[name=reason]').fill('Ticket 4711: list for the customer');
      await form.locator('button[type=submit]').click();
      await page.getByText('The export is being made.').waitFor();
      await idle();
      await page.reload();
      expect(await findings(page)).toEqual([]);
      await picture(page, `exports-${javaScriptEnabled}`);
      await page.locator('main summary', { hasText: 'Download' }).click();
      const download = page.locator('form:has(input[value="download"])');
      await download.locator('input[name=reason]').fill('Ticket 4711');
      await download.locator('button[type=submit]').click();
      const link = page.locator('a[data-download]');
      await link.waitFor();
      expect(await findings(page)).toEqual([]);
      const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
      expect(file.suggestedFilename()).toMatch(/resource_export_\w+\.csv$/);
      await page.locator('main summary', { hasText: 'Delete' }).click();
      const removal = page.locator('form:has(input[value="delete-file"])');
      await removal.locator('input[name=reason]').fill('Ticket 4711');
      await removal.locator('button[type=submit]').click();
      await page.getByText('The file is being deleted.').waitFor();
      await page.setViewportSize({ width: 320, height: 800 });
      expect(await measureOverflow(page)).toBeLessThanOrEqual(0);
    },
    SLOW,
  );
});
