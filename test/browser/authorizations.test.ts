import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';

import { complete, configure, register } from '../areas/agents/registering.ts';
import { application, authorizeUrl, CALLBACK, make, newVerifier, user } from '../areas/connect/person.ts';
import { call, reset, service } from '../support/service.ts';
import { closeChromium, describeInChromium, findings, person, picture } from './chromium.ts';
import { enter, press } from './steps.ts';

const EMAIL = 'ada@example.com';
const SLOW = 300_000;
/** A permission with a long name and description, so that a narrow page would show a text that does not wrap. */
const PERMISSION = {
  slug: 'documents-of-the-archive:read',
  name: 'Read all documents in the archive',
  description: 'Includes documents that other members have archived.',
};

let context: BrowserContext | undefined;
let page: Page;

beforeEach(async () => {
  await reset({ calm: true });
  await make('/authorization/permissions', PERMISSION);
  await call('PUT', '/authorization/roles/member/permissions', { permissions: [PERMISSION.slug] });
});

afterEach(async () => {
  await context?.close();
  context = undefined;
}, SLOW);

afterAll(() => closeChromium());

/** Opens a new browser, whose requests to the address of the application get a response without it. */
async function open(options: Parameters<typeof person>[0]): Promise<void> {
  await context?.close();
  context = await person({ locale: 'en', ...options });
  page = await context.newPage();
  await page.route(`${CALLBACK}**`, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Reports</h1>' }));
}

/** Opens the consent page of an application that registered itself, with a scope that is a permission. */
async function openConsent(organizationId: string): Promise<void> {
  await call('PUT', '/x/connect/settings', { registration: 'any', registration_scopes: [PERMISSION.slug] });
  const name = `Reports of the ${'very '.repeat(10)}long name`;
  const body = { redirect_uris: [CALLBACK], client_name: name, token_endpoint_auth_method: 'none' };
  const path = `/oauth2/${(await service()).clientId}/register`;
  const { client_id: clientId } = (await call<{ client_id: string }>('POST', path, body, { apiKey: null })).body;
  const scope = `openid profile email offline_access ${PERMISSION.slug}`;
  const query = { scope, organization_id: organizationId };
  await page.goto(await authorizeUrl({ id: clientId, clientId }, newVerifier(), query));
}

/** Registers an agent for the user, and opens the link that the user gets. @returns the claim token of the agent */
async function openClaim(): Promise<string> {
  await configure({ claim_uri: 'hosted', post_claim_permissions: [PERMISSION.slug] });
  const { claim } = (await register({ type: 'service_auth', login_hint: EMAIL })).body;
  await page.goto(claim?.attempt?.verification_uri ?? '');
  return claim?.token ?? '';
}

const VIEWS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [360, 1_280].map((width) => ({ colorScheme, width })),
);

describeInChromium('the pages of an authorization', () => {
  test.each(VIEWS)(
    'have no serious accessibility findings and fit into a window of $width pixels in the $colorScheme scheme',
    async ({ colorScheme, width }) => {
      const organizationId = (await make('/organizations', { name: 'Acme Archives' })).id;
      await user(EMAIL, organizationId);
      await open({ colorScheme, viewport: { width, height: 900 } });
      const found: Record<string, unknown> = {};
      const look = async (name: string): Promise<void> => {
        await picture(page, `${name}-${width}-${colorScheme}`);
        const serious = await findings(page);
        const isWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth');
        if (serious.length > 0 || isWide) found[name] = { serious, isWide };
      };
      await openConsent(organizationId);
      await enter(page, EMAIL);
      await page.getByText('unverified').first().waitFor();
      await look('consent');
      expect(await page.textContent('main')).toContain(PERMISSION.description);
      await press(page, 'Deny');
      await page.waitForURL(
        (url) => url.href.startsWith(CALLBACK) && url.searchParams.get('error') === 'access_denied',
      );
      const token = await openClaim();
      await look('claim-link');
      await press(page, 'Continue');
      await page.waitForURL('**/hosted/agent/confirm**');
      await look('claim');
      await page.locator('[name="do"][value="approve"]').click();
      await page.locator('.big').waitFor();
      await look('claim-code');
      const code = (await page.locator('.big').textContent()) ?? '';
      expect((await complete(token, code)).status).toBe(200);
      await page.goto(
        `${(await service()).url}/hosted/agent?client_id=${(await service()).clientId}&claim_attempt_token=x`,
      );
      await look('claim-ended');
      expect(found).toEqual({});
    },
    SLOW,
  );

  test.each([true, false])(
    'lead to the end with JavaScript: %s',
    async (javaScriptEnabled) => {
      const organizationId = (await make('/organizations', { name: 'Acme Archives' })).id;
      await user(EMAIL, organizationId);
      await open({ javaScriptEnabled });
      const app = await application();
      await page.goto(await authorizeUrl(app, newVerifier()));
      await enter(page, EMAIL);
      await page.locator('[name="do"][value="approve"]').click();
      await page.waitForURL((url) => url.href.startsWith(CALLBACK) && url.searchParams.has('code'));
      const token = await openClaim();
      await page.locator('form button[type="submit"]').first().click();
      await page.waitForURL('**/hosted/agent/confirm**');
      await page.locator('[name="do"][value="approve"]').click();
      const code = (await page.locator('.big').textContent()) ?? '';
      expect((await complete(token, code)).status).toBe(200);
    },
    SLOW,
  );
});
