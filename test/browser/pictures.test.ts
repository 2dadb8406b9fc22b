import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';

import { authorizeUrl, register } from '../areas/pages/application.ts';
import { browser } from '../support/browser.ts';
import { call, reset, service } from '../support/service.ts';
import { closeChromium, describeInChromium, person } from './chromium.ts';
import { comparison, type Inspected, INSPECTION } from './pictures/in-page.ts';
import { listMails, SAMPLE_VALUES } from '../../functions/outbound/messages/preview/apart.ts';
import { collectMails } from './pictures/mails.ts';
import { BRAND, collectPages } from './pictures/pages.ts';

/** One row of the set: every page and mail is photographed in each. */
interface Row {
  language: string;
  scheme: 'light' | 'dark';
  width: 360 | 1280;
  scripts: boolean;
  branded: boolean;
}

/** Six rows, in which each value of a dimension occurs, and nearly every pair of values of two dimensions. */
const ROWS: readonly Row[] = [
  { language: 'en', scheme: 'light', width: 360, scripts: true, branded: false },
  { language: 'de', scheme: 'dark', width: 360, scripts: false, branded: true },
  { language: 'fr', scheme: 'dark', width: 1280, scripts: true, branded: false },
  { language: 'es', scheme: 'light', width: 1280, scripts: false, branded: true },
  { language: 'ar', scheme: 'light', width: 360, scripts: true, branded: true },
  { language: 'ar', scheme: 'dark', width: 1280, scripts: false, branded: false },
];

const nameRow = ({ language, scheme, width, scripts, branded }: Row): string =>
  [language, scheme, width, scripts ? 'scripts' : 'plain', branded ? 'brand' : 'default'].join('-');

/** The folder for the pictures, and one of an earlier run with which they are compared: see `npm run pictures`. */
const { PICTURES: folder, PICTURES_AGAINST: former } = process.env;

const SLOW = 600_000;

/** Pages that show the time of the run, so that two runs differ. */
const VARYING = new Set(['device-approval', 'account-sessions', 'account-passkeys', 'account-authenticator']);

let server: Server;
let origin: string;
const html = new Map<string, string>();

beforeAll(async () => {
  const { url } = await service();
  server = createServer((request, response) => {
    const path = request.url ?? '/';
    const own = html.get(path.slice(1));
    if (own !== undefined) return response.setHeader('content-type', 'text/html; charset=utf-8').end(own);
    if (!path.startsWith('/hosted/assets/')) return response.writeHead(404).end();
    fetch(`${url}${path}`)
      .then(async (asset) => response.setHeader('content-type', 'text/javascript').end(await asset.text()))
      .catch(() => response.writeHead(502).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.close();
  await closeChromium();
});

/** Lists the faults of a page that a reader would see. */
async function inspect(page: Page, { language }: Row, isMail: boolean): Promise<string[]> {
  const seen = await page.evaluate<Inspected>(INSPECTION);
  const isRight = seen.direction === (language === 'ar' ? 'rtl' : 'ltr');
  return [
    ...(seen.overflow > 0 ? [`it is ${seen.overflow} px too wide`] : []),
    ...(seen.language === language ? [] : [`its language is ${seen.language}`]),
    ...(isRight ? [] : [`its direction is ${seen.direction}`]),
    ...(seen.broken > 0 ? [`${seen.broken} pictures are broken`] : []),
    ...seen.placeholders.map((text) => `it has the text ${text}`),
    ...(isMail ? [] : seen.small),
  ];
}

/** The share of the pixels in which two pictures differ. Chromium decodes them. */
const compare = async (page: Page, one: Buffer, other: Buffer): Promise<number> =>
  one.equals(other) ? 0 : page.evaluate<number>(comparison(one, other));

/** The greatest share of different pixels in pictures that count as equal: smoothing of letters. */
const MOST_DIFFERENT = 0.001;

describeInChromium('the pictures of every page and mail', () => {
  test('have a mail of each template', () => {
    expect(Object.keys(SAMPLE_VALUES).sort()).toEqual(listMails().sort());
  });

  test.each(ROWS.map((row) => [nameRow(row), row] as const))(
    'are complete and equal to those of the earlier run: %s',
    async (name, row) => {
      const pages = await collectPages(row.language, row.branded ? BRAND : {});
      const mails = await collectMails(row.language, row.branded);
      html.clear();
      for (const [key, text] of [...pages, ...mails]) html.set(key, text);
      const context = await person({
        colorScheme: row.scheme,
        javaScriptEnabled: row.scripts,
        viewport: { width: row.width, height: 800 },
        reducedMotion: 'reduce',
        timezoneId: 'UTC',
      });
      // Pages without JavaScript are inspected too, by a second page on which the inspection can run.
      const inspecting = await person({ colorScheme: row.scheme, viewport: { width: row.width, height: 800 } });
      const [page, probe] = [await context.newPage(), await inspecting.newPage()];
      const findings: string[] = [];
      if (folder !== undefined) mkdirSync(join(folder, name), { recursive: true });
      const digests: Record<string, string> = {};
      for (const key of html.keys()) {
        await page.goto(`${origin}/${key}`);
        const shot = await page.screenshot({ fullPage: true, animations: 'disabled', caret: 'hide' });
        digests[key] = createHash('sha256').update(shot).digest('hex');
        await probe.goto(`${origin}/${key}`);
        const broken = await inspect(probe, row, key.startsWith('mail-'));
        findings.push(...broken.map((text) => `${key}: ${text}`));
        if (folder !== undefined) writeFileSync(join(folder, name, `${key}.png`), shot);
        const earlier = former === undefined ? undefined : join(former, name, `${key}.png`);
        if (earlier !== undefined && existsSync(earlier) && !VARYING.has(key)) {
          const share = await compare(probe, readFileSync(earlier), shot);
          if (share > MOST_DIFFERENT) findings.push(`${key}: ${(share * 100).toFixed(2)} % differ from ${earlier}`);
        }
      }
      await Promise.all([context.close(), inspecting.close()]);
      if (folder !== undefined)
        writeFileSync(join(folder, name, 'digests.json'), JSON.stringify(digests, undefined, 2));
      expect(findings).toEqual([]);
    },
    SLOW,
  );

  test('have the name of the brand in place of a logo that cannot be loaded', async () => {
    await reset();
    const logo = { brand_name: 'Nimbus', logo_url: 'https://127.0.0.1:1/logo.png' };
    await Promise.all([register(), call('PUT', '/x/pages/settings', logo)]);
    html.set('logo', (await browser().open(await authorizeUrl())).text);
    const context = await person({});
    const page = await context.newPage();
    await page.goto(`${origin}/logo`);
    const brand = page.locator('.brand');
    await page.waitForFunction(`document.querySelector('.brand img') === null`);
    expect(await brand.textContent()).toBe('Nimbus');
    await context.close();
  });

  test('that are taken twice of the same page are equal, and a changed page is found', async () => {
    html.set('one', '<!doctype html><body style="margin:0"><p>Sign in</p></body>');
    html.set('other', '<!doctype html><body style="margin:0"><p>Sign up</p></body>');
    const context = await person({ viewport: { width: 200, height: 60 } });
    const page = await context.newPage();
    const shoot = async (key: string): Promise<Buffer> => {
      await page.goto(`${origin}/${key}`);
      return page.screenshot();
    };
    const [first, second, other] = [await shoot('one'), await shoot('one'), await shoot('other')];
    expect(await compare(page, first, second)).toBe(0);
    expect(await compare(page, first, other)).toBeGreaterThan(MOST_DIFFERENT);
    await context.close();
  });
});
