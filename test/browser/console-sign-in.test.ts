import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';

import { createConsoleLink } from '../../functions/faces/console/public.ts';
import { environment } from '../areas/authentication/inside.ts';
import { totp } from '../areas/pages/application.ts';
import { consolePath } from '../support/console-pages.ts';
import { OPERATORS_CLIENT } from '../support/operators.ts';
import { advance, call, now, reset, service } from '../support/service.ts';
import { addUser } from '../support/users.ts';
import { closeChromium, describeInChromium, person } from './chromium.ts';

const SLOW = 300_000;
const ADA = 'ada@gatehouse.example';
const PASSWORD = 'plain tulips over kelp';
const REASON = 'Ticket 5822: stolen telephone';

let context: BrowserContext | undefined;
let page: Page;

beforeEach(async () => {
  await reset({ calm: true });
  await environment();
});
afterEach(() => context?.close(), SLOW);
afterAll(() => closeChromium());

const send = () => page.locator('form button[type=submit]').first().click();

/** Enters address, password and a new code on the hosted pages. */
async function signIn(secret: string, isScripted: boolean): Promise<void> {
  await page.waitForURL('**/hosted/sign-in*');
  const email = page.locator('input[name=email]:visible');
  if ((await email.count()) > 0) {
    await email.fill(ADA);
    await send();
  }
  await page.locator('input[type=password]').fill(PASSWORD);
  await send();
  await advance(30);
  await page.locator('input[name=code]').fill(await totp(secret, await now()));
  // The script of the page sends a complete code.
  if (!isScripted) await send();
}

describeInChromium('the sign-in of operators', () => {
  test.each([true, false])(
    'begins with a link for the first operator and later requires a second factor; a form keeps its input across a step-up (JavaScript: %s)',
    async (javaScriptEnabled) => {
      const { url } = await service();
      context = await person({ locale: 'en', viewport: { width: 1_280, height: 900 }, javaScriptEnabled });
      page = await context.newPage();
      page.setDefaultTimeout(15_000);
      await page.goto(url + (await createConsoleLink({ email: ADA, role: 'owner', isForFirstOwner: true })));
      await send();
      await page.waitForURL('**/console');
      await page.goto(`${url}/hosted/account/${OPERATORS_CLIENT}/password`);
      await page.locator('input[type=password]').fill(PASSWORD);
      await send();
      await page.goto(`${url}/hosted/account/${OPERATORS_CLIENT}/authenticator`);
      const secret = ((await page.locator('code').first().textContent()) ?? '').replaceAll(' ', '');
      await page.locator('input[name=code]').fill(await totp(secret, await now()));
      await send();
      await page.goto(`${url}/console`);
      await page.locator('summary', { hasText: 'Your account' }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();

      const userId = await addUser('caller@acme.example');
      const factors = `/user_management/users/${userId}/auth_factors`;
      const body = { type: 'totp', totp_issuer: 'Acme', totp_user: 'caller' };
      const made = await call<{ authentication_factor: { id: string } }>('POST', factors, body);
      const path = await consolePath(`users/${userId}/factors/${made.body.authentication_factor.id}`);
      await page.goto(url + path);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await signIn(secret, javaScriptEnabled);
      await page.waitForURL(`**${path}`);

      await advance(301);
      await page.locator('details.act summary').click();
      await page.locator('input[name=reason]').fill(REASON);
      await page.getByRole('button', { name: 'Reset this factor in Local' }).click();
      await signIn(secret, javaScriptEnabled);
      await page.waitForURL(`**${path}?form=*`);
      expect(await page.locator('input[name=reason]').inputValue()).toBe(REASON);
      await page.getByRole('button', { name: 'Reset this factor in Local' }).click();
      await page.waitForURL('**/users/*?done=reset-factor');
      expect((await call<{ data: unknown[] }>('GET', factors)).body.data).toEqual([]);
    },
    SLOW,
  );
});
