import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';

import { mailedCode, makeUser } from '../areas/pages/application.ts';
import { reset } from '../support/service.ts';
import { application, type Application } from './application.ts';
import { closeChromium, describeInChromium, person } from './chromium.ts';
import { arrive, begin, press } from './steps.ts';

const EMAIL = 'ada@example.com';
const SLOW = 300_000;

let app: Application;
let context: BrowserContext;
let page: Page;

beforeEach(async () => {
  await reset({ calm: true });
  app = await application();
  context = await person({ locale: 'en' });
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
});
afterEach(async () => {
  await context.close();
  await app.close();
}, SLOW);
afterAll(() => closeChromium());

/** Requests a sign-in code on the page of the password. */
async function askForCode(): Promise<void> {
  await begin(page, app);
  await page.getByLabel('Email address').fill(EMAIL);
  await press(page, 'Continue');
  await press(page, 'Email me a sign-in code');
  await page.getByLabel('Six-digit code').waitFor();
}

describeInChromium('while the user types, a page', () => {
  test(
    'submits a code with its sixth digit, also if it has a hyphen',
    async () => {
      await makeUser(EMAIL);
      await askForCode();
      const code = await mailedCode(EMAIL);
      await page.getByLabel('Six-digit code').pressSequentially(`${code.slice(0, 3)}-${code.slice(3)}`);
      expect((await arrive(page, app)).user.email).toBe(EMAIL);
    },
    SLOW,
  );

  test(
    'counts down the seconds after which a new code can be requested',
    async () => {
      await makeUser(EMAIL);
      await askForCode();
      for (let time = 0; time < 3; time += 1) await press(page, 'Send a new code');
      const button = page.getByRole('button', { name: /Send a new code in \d+ s/ });
      await button.waitFor();
      expect(await button.isDisabled()).toBe(true);
      const left = Number(/\d+/.exec(await button.innerText())?.[0]);
      expect(left).toBeLessThanOrEqual(60);
      await page.getByRole('button', { name: `Send a new code in ${left - 2} s` }).waitFor();
    },
    SLOW,
  );

  test(
    'reports how many characters a new password still needs, and the rules to password managers',
    async () => {
      await begin(page, app, { screen_hint: 'sign-up' });
      const field = page.getByLabel('Password', { exact: true });
      expect(await field.getAttribute('passwordrules')).toContain('minlength: 10;');
      await field.pressSequentially('plain');
      await page.getByText('5 more characters needed').waitFor();
      await field.pressSequentially(' tulips');
      await page.getByText('Long enough').waitFor();
    },
    SLOW,
  );

  test(
    'marks the pressed button as busy while it waits for the response',
    async () => {
      const busy: string[] = [];
      await page.exposeFunction('reportBusy', (label: string) => busy.push(label));
      await page.addInitScript(`new MutationObserver((changes) => changes.forEach(({ target }) => {
        if (target.getAttribute('aria-busy') === 'true') reportBusy(target.textContent.trim());
      })).observe(document, { subtree: true, attributes: true, attributeFilter: ['aria-busy'] })`);
      await begin(page, app);
      await page.getByLabel('Email address').fill(EMAIL);
      await press(page, 'Continue');
      await page.getByLabel('Password', { exact: true }).waitFor();
      expect(busy).toEqual(['Continue']);
    },
    SLOW,
  );
});
