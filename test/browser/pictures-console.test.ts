import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { visitConsole } from '../support/console-pages.ts';
import { fillEnvironment } from '../support/console-records.ts';
import { idle, reset, service } from '../support/service.ts';
import { addSession } from '../support/users.ts';
import { closeChromium, describeInChromium, person } from './chromium.ts';
import { comparison } from './pictures/in-page.ts';

const SLOW = 600_000;

/** The folder for the pictures, and one of an earlier run with which they are compared: see `npm run pictures`. */
const { PICTURES: folder, PICTURES_AGAINST: former } = process.env;

/** The greatest share of different pixels in pictures that count as equal: smoothing of letters. */
const MOST_DIFFERENT = 0.001;

/** The time of all records in the pictures, and that of the browser, which shows how long ago they are. */
const TIME = '2026-01-15T12:00:00.000Z';
const NOW = '2026-01-15T12:30:00.000Z';

/** Replaces what differs in each run: ids, times, durations. */
const fixed = (text: string): string =>
  text
    .replaceAll(/[0-7][0-9A-HJKMNP-TV-Z]{25}/g, '01K0G000000000000000000001')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '00000000-0000-4000-8000-000000000001')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:]+(\.\d+)?Z/g, TIME)
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, '2026-01-15 12:00:00 UTC')
    .replaceAll(/\b\d+ ms\b/g, '5 ms');

const pages = new Map<string, string>();

beforeAll(async () => {
  await reset({ calm: true });
  const { userId, organizationId } = await fillEnvironment(() => 'An ordinary name');
  await addSession(userId);
  await idle();
  const visitor = await visitConsole();
  const paths = {
    overview: '',
    search: 'search?q=ada@acme.example',
    users: 'users',
    user: `users/${userId}`,
    'user-access': `users/${userId}/access`,
    'user-timeline': `users/${userId}/timeline`,
    'user-sign-in': `users/${userId}/sign-in`,
    organizations: 'organizations',
    organization: `organizations/${organizationId}`,
    invitations: 'invitations',
    waitlists: 'waitlists',
    events: 'events',
    webhooks: 'webhooks',
    connections: 'connections',
    directories: 'directories',
    authorization: 'authorization',
    resources: 'resources',
    flags: 'flags',
    radar: 'radar',
    vault: 'vault',
    branding: 'branding',
    proposals: 'proposals',
    environment: 'environment',
    missing: 'no-such-page',
  };
  for (const [name, path] of Object.entries(paths)) pages.set(name, fixed((await visitor.open(path)).text));
}, SLOW);
afterAll(() => closeChromium());

describeInChromium('the pictures of the console', () => {
  test.each([
    ['light', 1_280, true],
    ['dark', 1_280, false],
    ['light', 360, false],
    ['dark', 360, true],
  ] as const)(
    'fit their window and equal those of the earlier run: %s, %d px, JavaScript: %s',
    async (colorScheme, width, javaScriptEnabled) => {
      const { url } = await service();
      const options = { colorScheme, viewport: { width, height: 800 }, timezoneId: 'UTC', locale: 'en' } as const;
      const context = await person({ ...options, javaScriptEnabled, reducedMotion: 'reduce' });
      const probing = await person(options);
      await context.clock.setFixedTime(new Date(NOW));
      for (const each of [context, probing]) {
        await each.route('http://console.test/**', async (route) => {
          const { pathname } = new URL(route.request().url());
          const body = pages.get(pathname.slice(1));
          if (body !== undefined) return route.fulfill({ body, contentType: 'text/html; charset=utf-8' });
          const asset = await fetch(url + pathname);
          const contentType = asset.headers.get('content-type') ?? 'text/plain';
          return route.fulfill({ body: Buffer.from(await asset.arrayBuffer()), contentType, status: asset.status });
        });
      }
      const [page, probe] = [await context.newPage(), await probing.newPage()];
      const name = `console-${colorScheme}-${width}-${javaScriptEnabled ? 'scripts' : 'plain'}`;
      const found: string[] = [];
      if (folder !== undefined) mkdirSync(join(folder, name), { recursive: true });
      for (const key of pages.keys()) {
        await page.goto(`http://console.test/${key}`);
        const shot = await page.screenshot({ fullPage: true, animations: 'disabled', caret: 'hide' });
        await probe.goto(`http://console.test/${key}`);
        const wide = Number(await probe.evaluate('document.documentElement.scrollWidth - window.innerWidth'));
        if (wide > 0) found.push(`${key}: it is ${wide} px too wide`);
        if (folder !== undefined) writeFileSync(join(folder, name, `${key}.png`), shot);
        const earlier = former === undefined ? undefined : join(former, name, `${key}.png`);
        if (earlier === undefined || !existsSync(earlier)) continue;
        const before = readFileSync(earlier);
        const share = before.equals(shot) ? 0 : await probe.evaluate<number>(comparison(before, shot));
        if (share > MOST_DIFFERENT) found.push(`${key}: ${(share * 100).toFixed(2)} % differ from ${earlier}`);
      }
      await Promise.all([context.close(), probing.close()]);
      expect(found).toEqual([]);
    },
    SLOW,
  );
});
