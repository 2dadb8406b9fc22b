import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

import { totp } from '../areas/pages/application.ts';
import { OPERATORS_CLIENT } from '../support/operators.ts';
import { closeChromium, closeProfile, describeInChromium, openProfile } from './chromium.ts';

const SLOW = 120_000;
const PASSWORD = 'plain tulips over kelp';

let child: ChildProcess;
let api = '';
let own = '';

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/** Calls a control of the local service. */
const control = async <T>(method: string, path: string, body?: object): Promise<T> => {
  const init = { method, headers: { 'content-type': 'application/json' }, redirect: 'manual' } as const;
  const response = await fetch(
    `${api}/_local/${path}`,
    body === undefined ? init : { ...init, body: JSON.stringify(body) },
  );
  return (response.status === 200 ? await response.json() : { location: response.headers.get('location') }) as T;
};

/** The time of the service, half a minute later for another code of the authenticator app. */
async function nextCode(secret: string): Promise<string> {
  await control('POST', 'clock', { advance_seconds: 30 });
  return totp(secret, Date.parse((await control<{ now: string }>('GET', 'clock')).now));
}

beforeAll(async () => {
  const port = await freePort();
  own = `http://console.localhost:${port}`;
  child = spawn(
    process.execPath,
    ['bin/local.ts', '--ephemeral', '--port', String(port), '--json', '--quiet', '--until-stdin-ends'],
    {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...process.env, GATEHOUSE_CONSOLE_URL: own, GATEHOUSE_LOG_LEVEL: 'silent' },
    },
  );
  if (child.stdout === null) throw new Error('the service has no output');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  ({ url: api } = JSON.parse(line) as { url: string });
}, SLOW);
afterAll(async () => {
  await closeProfile();
  await closeChromium();
  child.stdin?.end();
  await once(child, 'exit');
}, SLOW);

/** The messages of the browser about what a Content Security Policy has blocked. */
function watchBlocked(page: Page): string[] {
  const blocked: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) blocked.push(message.text());
  });
  return blocked;
}

async function signIn(page: Page, secret: string): Promise<void> {
  const send = () => page.locator('form button[type=submit]').first().click();
  await page.waitForURL(`${api}/hosted/sign-in*`);
  const email = page.locator('input[name=email]:visible');
  if ((await email.count()) > 0) {
    await email.fill('owner@gatehouse.example');
    await send();
  }
  await page.locator('input[type=password]').fill(PASSWORD);
  await send();
  await page.locator('input[name=code]').fill(await nextCode(secret));
}

describeInChromium('a console with a host of its own', () => {
  test(
    'sends operators to the hosted pages of the API for a sign-in and a step-up and gets them back, without a violation of the Content-Security-Policy',
    async () => {
      const page = await openProfile();
      const blocked = watchBlocked(page);
      const send = () => page.locator('form button[type=submit]').first().click();
      const { location } = await control<{ location: string }>('GET', 'console');
      await page.goto(own + location);
      await send();
      await page.waitForURL(`${own}/console`);
      const account = `${api}/hosted/account/${OPERATORS_CLIENT}`;
      await page.locator('summary', { hasText: 'Your account' }).click();
      await page.getByRole('button', { name: 'Password, passkeys and second factor' }).first().click();
      // The account page has the host of the API, so a link of its own leads there.
      await page.waitForURL(`${api}/hosted/account/links/*`);
      await send();
      await page.waitForURL(account);
      await page.goto(`${account}/password`);
      await page.locator('input[type=password]').fill(PASSWORD);
      await send();
      await page.goto(`${account}/authenticator`);
      const secret = ((await page.locator('code').first().textContent()) ?? '').replaceAll(' ', '');
      await page.locator('input[name=code]').fill(await nextCode(secret));
      await send();
      await page.goto(`${own}/console`);
      await page.locator('summary', { hasText: 'Your account' }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.waitForURL(`${own}/console`);

      await page.getByRole('button', { name: 'Sign in' }).click();
      await signIn(page, secret);
      await page.waitForURL(`${own}/console`);

      // The form of a step-up is redirected to the other host too.
      const environment = await page.locator('a.tile').first().getAttribute('href');
      await control('POST', 'clock', { advance_seconds: 301 });
      await page.goto(`${own}${environment}/keys`);
      await page.locator('details.act summary').first().click();
      await page.locator('input[name=name]:visible').fill('Back end');
      await page.locator('input[name=reason]:visible').fill('Ticket 5822: a new back end');
      await page.locator('details.act[open] button[type=submit]').click();
      await signIn(page, secret);
      await page.waitForURL(`${own}${environment}/keys?form=*`);
      expect(await page.locator('input[name=reason]:visible').first().inputValue()).toBe('Ticket 5822: a new back end');
      expect(await page.context().cookies(api)).toEqual(
        expect.not.arrayContaining([expect.objectContaining({ name: expect.stringContaining('gatehouse_console_') })]),
      );
      expect(blocked).toEqual([]);
    },
    SLOW,
  );
});
