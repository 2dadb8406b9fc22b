import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';

import { readPageIndex } from '../../functions/faces/console/page-index.ts';
import { findPage } from '../../functions/faces/console/page/router.ts';
import { OPERATORS_ENVIRONMENT_ID } from '../../functions/kernel/authentication/environment-id.ts';
import { openPath } from '../support/console.ts';
import { consolePath, crawl, visitConsole } from '../support/console-pages.ts';
import { fillEnvironment } from '../support/console-records.ts';
import { reset, service } from '../support/service.ts';
import { addSession } from '../support/users.ts';
import { closeChromium, describeInChromium, person } from './chromium.ts';

const SLOW = 900_000;

let context: BrowserContext | undefined;
let page: Page;

beforeEach(() => reset({ calm: true }));
afterEach(() => context?.close(), SLOW);
afterAll(() => closeChromium());

/** Signs a browser in to the console. */
async function begin(): Promise<void> {
  context = await person({ locale: 'en', viewport: { width: 1_280, height: 900 } });
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${(await service()).url}/_local/console`);
  await page.locator('form button[type=submit]').first().click();
  await page.waitForURL('**/console');
}

/** One address of each page that links lead to. */
async function sampleAddresses(): Promise<string[]> {
  const { pages } = await readPageIndex();
  const visitor = await visitConsole();
  const home = `/console/e/${OPERATORS_ENVIRONMENT_ID}`;
  const opened = [
    ...(await crawl(visitor)),
    await openPath(visitor.person, '/console'),
    ...(await crawl({ ...visitor, open: async () => openPath(visitor.person, home) })),
  ];
  const found = new Map<string, string>();
  for (const { url, status } of opened) {
    const { pathname, search } = new URL(url);
    const entry = findPage(pages, pathname.replace(/^\/console\/?/, ''))?.page;
    if (status === 200 && entry !== undefined && !found.has(entry.path)) found.set(entry.path, `${pathname}${search}`);
  }
  return [...found.values()];
}

/**
 * Opens all disclosures of a part of the page, and marks what a person with a mouse can use in it. One control of a group of radio buttons is reached by
 * Tab, and the others by the arrow keys.
 */
const mark = (root: string): string => `(() => {
  for (const each of document.querySelectorAll('details')) each.open = true;
  const groups = new Set();
  const usable = [...document.querySelectorAll('a[href],button,input,select,textarea,summary,[tabindex="0"]')].filter((each) => each.closest('${root}')).filter((each) => {
    if (each.disabled || each.type === 'hidden' || !each.checkVisibility({ visibilityProperty: true })) return false;
    if (each.type !== 'radio') return true;
    const isOther = groups.has(each.name);
    groups.add(each.name);
    return !isOther;
  });
  usable.forEach((each, at) => { (each.type === 'radio' ? [...document.getElementsByName(each.name)] : [each]).forEach((one) => { one.dataset.walk = at; }); });
  return usable.map((each) => each.outerHTML.slice(0, 110));
})()`;

/** The element that has the focus: its mark, and what is wrong with how it shows. */
const FOCUSED = `(() => {
  const each = document.activeElement;
  if (each === null || each === document.body) return { at: -1, problems: [] };
  const style = getComputedStyle(each);
  const [box] = each.getClientRects();
  const problems = [];
  if (style.outlineStyle === 'none' || parseFloat(style.outlineWidth) === 0) problems.push('has no outline');
  if (box === undefined || box.bottom < 0 || box.top > innerHeight || box.width === 0) problems.push('is out of sight');
  else {
    const [x, y] = [Math.min(Math.max(box.left + box.width / 2, 1), innerWidth - 1), Math.min(Math.max(box.top + box.height / 2, 1), innerHeight - 1)];
    const top = document.elementFromPoint(x, y);
    // What a person opened may cover what is behind it, and Escape closes it.
    const isOpened = top?.closest('details[open]')?.contains(each) === false;
    if (top !== null && !isOpened && !each.contains(top) && !top.contains(each) && !top.closest('label')?.contains(each)) problems.push('is covered by ' + top.outerHTML.slice(0, 60));
  }
  return { at: Number(each.dataset.walk ?? -2), problems, html: each.outerHTML.slice(0, 110) };
})()`;

interface Focused {
  at: number;
  problems: string[];
  html?: string;
}

/**
 * Walks through a page by Tab.
 * @param root `body`, or `main` for a page whose menu is that of another one; the walk begins where the skip link leads
 * @returns what is not reached, and what does not show that it has the focus
 */
async function walk(root: 'body' | 'main', key = 'Tab'): Promise<string[]> {
  const usable = (await page.evaluate(mark(root))) as string[];
  if (root === 'main') await page.locator('main').focus();
  // Backwards the walk begins at the end of the page.
  if (key !== 'Tab')
    await page.evaluate(
      'document.querySelector("main").tabIndex = -1; [...document.querySelectorAll("[data-walk]")].at(-1).focus()',
    );
  const reached = new Set<number>();
  const wrong: string[] = [];
  // A field of a date has several parts, and a frame of a preview has elements of its own.
  const frames = await page.locator('iframe').count();
  for (let presses = 0; presses < usable.length * 2 + 10 + frames * 40; presses += 1) {
    if (presses > 0 || key === 'Tab') await page.keyboard.press(key);
    const { at, problems, html = '' } = (await page.evaluate(FOCUSED)) as Focused;
    if (at === -1 && reached.size > 0) break;
    if (at >= 0 && !reached.has(at)) wrong.push(...problems.map((problem) => `${html} ${problem}`));
    reached.add(at);
  }
  return [...wrong, ...usable.filter((_, at) => !reached.has(at)).map((html) => `${html} is not reached`)];
}

/** Presses Tab until an element that a selector matches has the focus, and its text contains a word. */
async function tabTo(selector: string, word = ''): Promise<void> {
  const isThere = `document.activeElement?.matches(${JSON.stringify(selector)}) && document.activeElement.textContent.includes(${JSON.stringify(word)})`;
  for (let presses = 0; presses < 200; presses += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate<boolean>(isThere)) return;
  }
  throw new Error(`The focus does not reach ${selector}`);
}

const findFocus = (): Promise<string> => page.evaluate<string>('document.activeElement.outerHTML.slice(0, 80)');

describeInChromium('the console without a mouse', () => {
  test(
    'shows the focus on every link, button and field of every page, reaches each by Tab, and no page keeps it',
    async () => {
      const { userId } = await fillEnvironment(() => 'An ordinary name');
      await addSession(userId);
      const addresses = await sampleAddresses();
      await begin();
      const found: Record<string, string[]> = {};
      let isFirst = true;
      for (const address of addresses) {
        await page.goto((await service()).url + address);
        if (await page.evaluate<boolean>('document.querySelector("main") === null')) continue;
        const wrong = await walk(isFirst ? 'body' : 'main');
        isFirst = false;
        if (wrong.length > 0) found[address] = wrong;
      }
      expect(found).toEqual({});
      expect(addresses.length).toBeGreaterThan(50);
    },
    SLOW,
  );

  test(
    'shows the focus below the bar at the top on a narrow screen, forwards and backwards',
    async () => {
      const { userId } = await fillEnvironment(() => 'An ordinary name');
      await begin();
      await page.setViewportSize({ width: 340, height: 640 });
      for (const path of [`users/${userId}`, 'authorization', 'radar']) {
        for (const key of ['Tab', 'Shift+Tab']) {
          await page.goto((await service()).url + (await consolePath(path)));
          expect([path, key, await walk('main', key)]).toEqual([path, key, []]);
        }
      }
    },
    SLOW,
  );

  test(
    'opens a user and revokes a session by Tab and Enter',
    async () => {
      const { userId } = await fillEnvironment(() => 'An ordinary name');
      await addSession(userId);
      await begin();
      await page.goto((await service()).url + (await consolePath('')));
      await tabTo('a[href$="/users"]');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/users');
      await tabTo(`main a[href$="/users/${userId}"]`);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/users/${userId}`);
      await tabTo('details.act summary', 'Revoke');
      await page.keyboard.press('Enter');
      await tabTo('details.act[open] [name=reason]');
      await page.keyboard.type('Ticket 4711: lost phone');
      await tabTo('details.act[open] button[type=submit]');
      await page.keyboard.press('Enter');
      await page.getByText('The session is revoked.').waitFor();
    },
    SLOW,
  );

  test(
    'keeps Tab within the palette, which Escape closes and which then returns the focus',
    async () => {
      await begin();
      await page.goto((await service()).url + (await consolePath('')));
      await tabTo('a[href$="/users"]');
      const before = await findFocus();
      await page.keyboard.press('Control+k');
      for (let presses = 0; presses < 3; presses += 1) {
        await page.keyboard.press('Tab');
        const isInside =
          'document.activeElement === document.body || document.activeElement.closest("dialog") !== null';
        expect(await page.evaluate<boolean>(isInside)).toBe(true);
      }
      await page.keyboard.press('Escape');
      expect([await page.locator('dialog[open]').count(), await findFocus()]).toEqual([0, before]);
      await tabTo('.top summary');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Escape');
      const isClosed =
        'document.querySelector(".top details[open]") === null && document.activeElement.matches("summary")';
      expect(await page.evaluate<boolean>(isClosed)).toBe(true);
      // A letter in a field is no shortcut.
      await page.keyboard.press('/');
      await page.keyboard.type('gu');
      expect(await page.inputValue('#search')).toBe('gu');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Tab');
      await page.keyboard.press('g');
      await page.keyboard.press('u');
      await page.waitForURL('**/users');
    },
    SLOW,
  );
});
