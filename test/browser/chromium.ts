import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';

import { describe, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';

/** The paths where Chromium is searched, unless CHROMIUM_PATH names one. */
const USUAL = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const found = [process.env.CHROMIUM_PATH ?? '', ...USUAL].find((path) => path !== '' && existsSync(path));

/** Declares a suite that needs a real browser. Without one it is skipped with a message. */
export function describeInChromium(title: string, suite: () => void): void {
  if (found !== undefined) return describe(title, suite);
  process.stderr.write(
    `\nSKIPPED ${title}: no Chromium is installed. Install one (apt-get install chromium), or set CHROMIUM_PATH.\n\n`,
  );
  describe.skip(title, () => test('needs Chromium', () => undefined));
}

let running: Promise<Browser> | undefined;
let profile: BrowserContext | undefined;

/** The browser of this worker's suite, started when the first page is opened. */
export async function chromium(): Promise<Browser> {
  const { chromium: engine } = await import('playwright-core');
  // Chromium's own sandbox needs privileges that containers do not have.
  running ??= engine.launch({
    executablePath: found ?? '',
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  });
  return running;
}

/** Ends the browser. */
export async function closeChromium(): Promise<void> {
  await (await running)?.close();
  running = undefined;
}

const require = createRequire(import.meta.url);
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  id: string;
  impact: string | null;
  nodes: { html: string }[];
}

/** Serious and critical findings of axe-core on a page, one line each. In a browser without JavaScript, those of a copy. */
export async function findings(page: Page): Promise<string[]> {
  const hasScripts = await page.evaluate<boolean>("matchMedia('(scripting: enabled)').matches");
  return hasScripts ? runAxe(page) : inCopy(page, runAxe);
}

/**
 * Calls a function with a copy of a page in a browser with JavaScript, since axe-core waits for timers and promises. The copy
 * has the content of `noscript` elements and no scripts, at the address, size and color scheme of the page.
 */
async function inCopy<T>(page: Page, use: (copy: Page) => Promise<T>): Promise<T> {
  const body = (await page.content())
    .replace(/<script\b[\s\S]*?<\/script>/g, '')
    .replace(/<meta http-equiv="refresh"[^>]*>/g, '')
    .replace(/<\/?noscript>/g, '');
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  const context = await person({ viewport: page.viewportSize(), colorScheme: isDark ? 'dark' : 'light' });
  try {
    const copy = await context.newPage();
    await copy.route(page.url(), (route) => route.fulfill({ body, contentType: 'text/html; charset=utf-8' }));
    await copy.goto(page.url());
    return await use(copy);
  } finally {
    await context.close();
  }
}

async function runAxe(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<{ violations: Finding[] }>('axe.run()');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

/** Saves a picture of a page in the folder that SCREENSHOTS names, for manual inspection. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder === undefined) return;
  const shoot = () => page.screenshot({ path: `${folder}/${name}.png` });
  // Chromium cannot always capture a page that has just replaced another, so a failed capture is repeated.
  await shoot().catch(shoot);
}

/** A user with a fresh browser profile. */
export const person = async (options: Parameters<Browser['newContext']>[0]): Promise<BrowserContext> =>
  (await chromium()).newContext(options);

/** Opens an empty page in a new browser profile, in English and 1280 px wide by default, and closes the profile of the call before. */
export async function openProfile(options: Parameters<typeof person>[0] = {}): Promise<Page> {
  await closeProfile();
  profile = await person({ locale: 'en', viewport: { width: 1280, height: 900 }, ...options });
  const page = await profile.newPage();
  page.setDefaultTimeout(20_000);
  return page;
}

/** Closes the profile that {@link openProfile} opened. */
export const closeProfile = async (): Promise<void> => profile?.close();

/** The pixels by which a page is wider than its window. */
export const measureOverflow = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
