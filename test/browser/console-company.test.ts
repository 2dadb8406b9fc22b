import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';

import { breakGlass, createPortalLink } from '../../functions/faces/console/public.ts';
import { environment } from '../areas/authentication/inside.ts';
import { totp } from '../areas/pages/application.ts';
import { consolePath } from '../support/console-pages.ts';
import { nameServer } from '../support/name-server.ts';
import { openLink } from '../support/operators.ts';
import { addToDirectory, removeOwners, verifyCompanyDomain } from '../support/operators-company.ts';
import { readOperatorsLog } from '../support/operators-log.ts';
import { call, now, reset, service } from '../support/service.ts';
import { addSession, addUser } from '../support/users.ts';
import { closeChromium, describeInChromium, person, picture } from './chromium.ts';

const SLOW = 600_000;
const ADA = 'ada@acme.example';
const REASON = 'The identity provider is down';

const contexts: BrowserContext[] = [];

beforeEach(async () => {
  await reset({ calm: true });
  (await nameServer()).clear();
  await environment();
});
afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()));
}, SLOW);
afterAll(() => closeChromium());

/** Opens a path in a new browser. */
async function open(path: string, javaScriptEnabled = true): Promise<Page> {
  const context = await person({ locale: 'en', viewport: { width: 1_280, height: 900 }, javaScriptEnabled });
  contexts.push(context);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto((await service()).url + path);
  return page;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const send = (page: Page) => page.locator('form button[type=submit]').first().click();

interface Options {
  idp_entity_id: string;
  idp_sso_url: string;
  idp_signing_certs: string[];
}

/** Connects the operators' company to the test identity provider, in the portal. */
async function connect(): Promise<void> {
  const { url } = await service();
  const options = (await (await fetch(`${url}/_local/idp/options`)).json()) as Options;
  const page = await open(await createPortalLink('sso'));
  await page.locator('button').first().click();
  await press(page, 'SAML 2.0');
  await page.getByText('Enter the values by hand').click();
  await page.getByLabel('Entity ID').fill(options.idp_entity_id);
  await page.getByLabel('Sign-in URL').fill(options.idp_sso_url);
  await page.getByLabel('Signing certificate').fill(options.idp_signing_certs[0] ?? '');
  await press(page, 'Save');
  await press(page, 'Test sign-in');
  await press(page, 'Sign in');
  await page.getByText('Succeeded').waitFor();
  await press(page, 'Activate');
  await page.getByRole('button', { name: 'Deactivate' }).waitFor();
}

/** Begins a sign-in to the console, up to the page of the identity provider. */
async function leave(javaScriptEnabled: boolean): Promise<Page> {
  const page = await open('/console', javaScriptEnabled);
  await press(page, 'Sign in');
  await page.waitForURL('**/hosted/sign-in*');
  await page.locator('input[name=email]:visible').fill(ADA);
  await send(page);
  await page.getByRole('heading', { name: 'Test identity provider' }).waitFor();
  await page.getByLabel('Email').fill(ADA);
  return page;
}

/** Presses a button of the identity provider. Without JavaScript its response needs another click. */
async function respond(page: Page, name: string, javaScriptEnabled: boolean): Promise<void> {
  await press(page, name);
  if (!javaScriptEnabled) await page.locator('button').first().click();
}

describeInChromium('the operators of a company with an identity provider', () => {
  test.each([true, false])(
    'sign in there with a second factor of the service, and the next click of a leaver is rejected (JavaScript: %s)',
    async (javaScriptEnabled) => {
      await openLink(ADA, 'support');
      await verifyCompanyDomain();
      await connect();
      const deactivate = await addToDirectory(ADA);
      const userId = await addUser('caller@acme.example');

      const page = await leave(javaScriptEnabled);
      await respond(page, 'Sign in', javaScriptEnabled);
      await page.waitForURL('**/hosted/mfa/enroll*');
      const secret = ((await page.locator('code').first().textContent()) ?? '').replaceAll(' ', '');
      await page.locator('input[name=code]').fill(await totp(secret, await now()));
      if (!javaScriptEnabled) await send(page);
      await page.waitForURL('**/console');
      await page.getByRole('link', { name: 'Local' }).first().click();
      await page.getByRole('link', { name: 'Users', exact: true }).click();
      await page.getByRole('link', { name: 'caller@acme.example' }).first().waitFor();
      await picture(page, `console-company-${javaScriptEnabled ? 'script' : 'plain'}`);

      await deactivate();
      await page.getByRole('link', { name: 'Organizations', exact: true }).click();
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      expect(await page.content()).not.toContain('caller@acme.example');
      await page.goto((await service()).url + (await consolePath(`users/${userId}`)));
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      await picture(page, `console-leaver-${javaScriptEnabled ? 'script' : 'plain'}`);

      const again = await leave(javaScriptEnabled);
      await respond(again, 'Sign in', javaScriptEnabled);
      await again.waitForLoadState('load');
      await again.goto(`${(await service()).url}/console`);
      await again.getByRole('button', { name: 'Sign in' }).waitFor();
    },
    SLOW,
  );

  test.each([true, false])(
    'use an emergency link while the provider responds with errors and no role is left (JavaScript: %s)',
    async (javaScriptEnabled) => {
      await openLink(ADA, 'owner');
      await verifyCompanyDomain();
      await connect();
      const userId = await addUser('caller@acme.example');
      await addSession(userId);
      await removeOwners();
      const broken = await leave(javaScriptEnabled);
      await respond(broken, 'Respond with an error', javaScriptEnabled);
      await broken.waitForLoadState('load');
      await broken.goto(`${(await service()).url}/console`);
      await broken.getByRole('button', { name: 'Sign in' }).waitFor();

      const { path } = await breakGlass(await environment(), REASON);
      const page = await open(path, javaScriptEnabled);
      await page.getByText('It raises an alarm').waitFor();
      await picture(page, `console-break-glass-${javaScriptEnabled ? 'script' : 'plain'}`);
      await send(page);
      await page.waitForURL('**/console');
      expect(await page.content()).toContain('Emergency access');
      await page.goto((await service()).url + (await consolePath(`users/${userId}`)));
      await page.locator('summary', { hasText: 'Revoke' }).first().click();
      await page.locator('details.act[open] [name=reason]').fill(REASON);
      await page.locator('details.act[open] button[type=submit]').click();
      await page.getByText('The session is revoked.').waitFor();
      const { body } = await call<{ data: { status: string }[] }>('GET', `/user_management/users/${userId}/sessions`);
      expect(body.data.map(({ status }) => status)).not.toContain('active');
      const lines = (await readOperatorsLog()).filter((line) => line.includes('break-glass'));
      expect(lines.filter((line) => line.includes('sessions.'))).toHaveLength(1);
    },
    SLOW,
  );
});
