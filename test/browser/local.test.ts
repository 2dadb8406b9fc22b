import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';

import { addFault, call, messages, now, reset, service } from '../support/service.ts';
import {
  closeChromium,
  closeProfile,
  describeInChromium,
  findings,
  measureOverflow,
  openProfile,
  picture,
} from './chromium.ts';

const EMAIL = 'ada@example.com';
const SLOW = 120_000;

let page: Page;

beforeEach(() => reset({ calm: true }));
afterEach(() => closeProfile(), SLOW);
afterAll(() => closeChromium());

async function open(path: string, options: Parameters<typeof openProfile>[0] = {}): Promise<void> {
  page = await openProfile(options);
  await goTo(path);
}

async function goTo(path: string): Promise<void> {
  const { url } = await service();
  await page.goto(`${url}/_local${path}`);
}

const newUser = (): Promise<unknown> => call('POST', '/user_management/users', { email: EMAIL, email_verified: true });

async function newMail(): Promise<string> {
  await call('POST', '/user_management/magic_auth', { email: EMAIL });
  return (await messages(EMAIL))[0]?.id ?? '';
}

describeInChromium('the local page', () => {
  test(
    'shows a request with its mail as it happens, and sends nothing while nothing happens',
    async () => {
      await open('');
      const requests: string[] = [];
      await page.getByText('Nothing has happened yet').waitFor();
      page.on('request', (request) => requests.push(new URL(request.url()).pathname));
      await newMail();
      await page.locator('#timeline').getByText('magic_auth.created').waitFor();
      const link = page.locator('#timeline a', { hasText: 'Your sign-in code' });
      await link.waitFor();
      await page.waitForTimeout(1_500);
      // Chromium may report the page's one stream only now.
      expect(requests.filter((path, at) => path !== '/_local/stream' || at > 0)).toEqual([]);
      await page.locator('#timeline summary', { hasText: 'magic_auth.created' }).click();
      await newMail();
      await page.locator('#timeline > li').nth(1).waitFor();
      expect(await page.locator('#timeline details[open]').count()).toBe(1);
      await link.first().click();
      await page.frameLocator('iframe').getByRole('heading', { name: 'Your sign-in code' }).waitFor();
      await picture(page, 'local-mail');
    },
    SLOW,
  );

  test(
    'creates a user and signs the browser in as that user',
    async () => {
      await open('/people');
      await page.getByLabel('Email', { exact: true }).first().fill(EMAIL);
      await page.getByRole('button', { name: 'Create user' }).click();
      await page.getByText('The user was created.').waitFor();
      await page.getByRole('button', { name: `Sign in as ${EMAIL}` }).click();
      await page.waitForURL(({ pathname }) => pathname.startsWith('/hosted/account/'));
      await page.getByText(EMAIL).first().waitFor();
    },
    SLOW,
  );

  test(
    'moves the clock and returns to real time',
    async () => {
      await open('');
      await page.locator('#clock > summary').click();
      await page.getByRole('button', { name: '+30 days' }).click();
      await page.getByText('30 d ahead').waitFor();
      expect(await now()).toBeGreaterThan(Date.now() + 29 * 86_400_000);
      await page.locator('#clock > summary').click();
      await page.getByRole('button', { name: 'Back to real time' }).click();
      await page.locator('#clock').getByText('real time', { exact: true }).waitFor();
      expect(Math.abs((await now()) - Date.now())).toBeLessThan(10_000);
    },
    SLOW,
  );

  test(
    'runs no script of a mail, and opens its links in a tab of their own',
    async () => {
      const { variables, url } = await service();
      const html =
        `<html><head></head><body><script>top.document.title='taken'</script><img src="x" onerror="top.document.title='taken'">` +
        `<form action="${url}/_local/actions/reset" method="post"><button>Take</button></form><a href="${url}/docs">Docs</a></body></html>`;
      await fetch(`${variables.AWS_ENDPOINT_URL_SESV2}/v2/email/outbound-emails`, {
        method: 'POST',
        body: JSON.stringify({
          FromEmailAddress: 'eve@example.com',
          Destination: { ToAddresses: [EMAIL] },
          Content: { Simple: { Subject: { Data: 'Hello' }, Body: { Html: { Data: html } } } },
        }),
      });
      await call('POST', '/organizations', { name: 'Looms' });
      const [{ id = '' } = {}] = await messages(EMAIL);
      for (const path of [`/mail/${id}`, `/mail/${id}/html`]) {
        await open(path);
        const frame = path.endsWith('/html') ? page : page.frameLocator('iframe');
        await frame.getByRole('button', { name: 'Take' }).click();
        await page.waitForTimeout(300);
        expect(await page.title()).not.toBe('taken');
        const [tab] = await Promise.all([
          page.context().waitForEvent('page'),
          frame.getByRole('link', { name: 'Docs' }).click(),
        ]);
        await tab.waitForURL(`${url}/docs`);
      }
      expect((await call<{ data: unknown[] }>('GET', '/organizations')).body.data).toHaveLength(1);
    },
    SLOW,
  );

  test(
    'works without JavaScript',
    async () => {
      const id = await newMail();
      await open('', { javaScriptEnabled: false });
      await page.getByText('magic_auth.created').waitFor();
      await page.getByRole('link', { name: 'Faults' }).click();
      await page.getByLabel('Dependency').selectOption('mail');
      await page.getByRole('button', { name: 'Put it in force' }).click();
      await page.getByText('The fault is in force.').waitFor();
      await page.getByRole('button', { name: /^Lift/ }).click();
      await page.getByText('The fault was lifted.').waitFor();
      await goTo(`/mail/${id}`);
      await page.getByRole('link', { name: 'Source' }).click();
      await page.getByText('<!DOCTYPE html>').waitFor();
      await goTo('');
      await page.getByText('Reset all data').first().click();
      await page.getByRole('button', { name: 'Reset all data' }).click();
      await page.getByText('All data was removed.').waitFor();
    },
    SLOW,
  );

  test.each(['light', 'dark'] as const)(
    'has no serious accessibility finding and no overflow at 360 px in the %s scheme',
    async (colorScheme) => {
      await newUser();
      const id = await newMail();
      await call('POST', '/webhook_endpoints', {
        endpoint_url: 'http://localhost:9/hooks',
        events: ['organization.created'],
      });
      await call('POST', '/organizations', { name: 'A rather long name of an organization of looms and engines' });
      await call('POST', '/organizations', {});
      await addFault({ target: 'blobs', kind: 'delay' });
      const found: Record<string, string[]> = {};
      for (const width of [360, 1280]) {
        await open('', { colorScheme, viewport: { width, height: 900 } });
        for (const path of [
          '',
          '/mail',
          `/mail/${id}`,
          `/mail/${id}?view=source`,
          '/people',
          '/faults',
          '/brand',
          '/brand?show=mail:invitation&locale=ar',
        ]) {
          await goTo(path);
          await page.locator('#clock > summary').click();
          for (const summary of await page.locator('main summary').all()) await summary.click();
          await picture(page, `local-${path.replaceAll(/\W/g, '-').slice(0, 12)}-${width}-${colorScheme}`);
          const wrong = [...(await findings(page)), ...((await measureOverflow(page)) > 0 ? ['overflow'] : [])];
          if (wrong.length > 0) found[`${path} ${width}`] = wrong;
        }
      }
      expect(found).toEqual({});
    },
    SLOW,
  );
});
