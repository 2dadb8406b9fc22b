import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';

import { testPair } from '../support/certificates.ts';
import { nameServer } from '../support/name-server.ts';
import { newLink, portalAddress } from '../support/portal.ts';
import { call, idle, reset, service } from '../support/service.ts';
import { closeChromium, describeInChromium, findings, person, picture } from './chromium.ts';

const SLOW = 300_000;

/** The options of a connection to the local identity provider. */
interface Options {
  idp_entity_id: string;
  idp_sso_url: string;
  idp_signing_certs: string[];
}

let context: BrowserContext | undefined;
let page: Page;
let organizationId: string;

beforeEach(async () => {
  await reset({ calm: true });
  (await nameServer()).clear();
  await call('POST', '/authorization/roles', { slug: 'engineer', name: 'Engineer' });
  const { body } = await call<{ id: string }>('POST', '/organizations', { name: 'Engines & Sons' });
  organizationId = body.id;
});

afterEach(() => context?.close(), SLOW);
afterAll(() => closeChromium());

const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
const open = async (path: string) => page.goto(await portalAddress(path));
const readId = (): string => /\/(?:sso|directories)\/([a-z]+_[^/]+)\//.exec(page.url())?.[1] ?? '';

/** Opens the portal in a browser of its own. */
async function begin(options: Parameters<typeof person>[0]): Promise<void> {
  context = await person({ locale: 'en', ...options });
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(await newLink(organizationId));
}

/** Sets up a domain, a connection and a directory. @param look Called with each page */
async function setUp(hasScripts: boolean, look: (name: string) => Promise<void>): Promise<void> {
  await look('start');
  await press('Start setup');
  await page.locator('.portal-nav').waitFor();
  await look('overview');
  await page.getByRole('link', { name: 'Domain verification' }).click();
  await page.getByLabel('Domain', { exact: true }).fill('engines.example');
  await press('Add domain');
  await page.getByText('The domain was added').waitFor();
  await look('domains');
  await open('sso');
  await look('providers');
  await press('Okta');
  await page.getByRole('heading', { name: 'At Okta' }).waitFor();
  const connection = readId();
  await look('configure');
  await page.getByText('Enter the values by hand').click();
  await page.getByLabel('Entity ID').fill('https://idp.engines.example/okta');
  await page.getByLabel('Sign-in URL').fill('https://idp.engines.example/sso');
  await page.getByLabel('Signing certificate').fill('not a certificate');
  await press('Save');
  await page.getByText('This is not a PEM certificate').waitFor();
  await look('wrong-certificate');
  await page.getByLabel('Signing certificate').fill(testPair().cert);
  await press('Save');
  await page.getByText('Your changes are saved').waitFor();
  await look('test');
  for (const step of ['attributes', 'roles', 'keys']) {
    await open(`sso/${connection}/${step}`);
    await look(step);
  }
  await open('sso');
  await press('OpenID Connect');
  await page.getByLabel('Client secret').waitFor();
  await look('openid');
  await press('Delete this draft');
  await page.getByText('The draft is deleted').waitFor();
  await open('directories');
  await press('Microsoft Entra ID');
  await page.getByRole('heading', { name: 'At Microsoft Entra ID' }).waitFor();
  const directory = readId();
  await press('Create a token');
  await page.getByText('It is shown only once').waitFor();
  await look('token');
  const [token = '', address = ''] = await page.locator('.copy code').allTextContents();
  const { pathname } = new URL(address);
  await open(`directories/${directory}/connect`);
  await look('waiting');
  const user = { userName: 'ada@engines.example', name: { givenName: 'Ada', familyName: 'Lovelace' } };
  expect((await call('POST', `${pathname}/Users`, user, { apiKey: token })).status).toBe(201);
  await idle();
  // With JavaScript, the page that waits shows the first call by itself.
  if (!hasScripts) await open(`directories/${directory}/connect`);
  await page.getByText('Your provider has called').waitFor();
  await page.getByText('Ada Lovelace').waitFor();
  for (const step of ['connect', 'attributes', 'roles']) {
    await open(`directories/${directory}/${step}`);
    await look(`directory-${step}`);
  }
  await open(`certificates/${connection}`);
  await look('certificate');
  for (const path of ['certificates', 'audit_logs', 'log_stream?type=S3', 'own_key']) {
    await open(path);
    await look(path.replace(/\W.*/, ''));
  }
  await press('Finish setup');
  await page.getByText('Setup is finished').waitFor();
  await look('finished');
}

/** Each width, scheme and the absence of JavaScript occur with one another. */
const BROWSERS = [
  { colorScheme: 'light', width: 1_280, javaScriptEnabled: true },
  { colorScheme: 'dark', width: 360, javaScriptEnabled: true },
  { colorScheme: 'light', width: 320, javaScriptEnabled: false },
  { colorScheme: 'dark', width: 1_280, javaScriptEnabled: false },
] as const;

describeInChromium('the portal', () => {
  test.each(BROWSERS)(
    'leads an administrator from the link to a domain, a connection and a directory, without serious accessibility findings or pages wider than the screen: $colorScheme, $width pixels, JavaScript $javaScriptEnabled',
    async ({ colorScheme, width, javaScriptEnabled }) => {
      const found: Record<string, unknown> = {};
      await begin({ colorScheme, javaScriptEnabled, viewport: { width, height: 900 } });
      await setUp(javaScriptEnabled, async (name) => {
        await picture(page, `portal-${name}-${colorScheme}-${width}-${javaScriptEnabled ? 'script' : 'plain'}`);
        const serious = await findings(page);
        const excess = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        if (serious.length > 0 || excess > 0) found[name] = { serious, excess };
      });
      expect(found).toEqual({});
      const path = `/connections?organization_id=${organizationId}`;
      expect((await call<{ data: unknown[] }>('GET', path)).body.data).toHaveLength(1);
      const listed = await call<{ data: unknown[] }>('GET', `/directories?organization_id=${organizationId}`);
      expect(listed.body.data).toMatchObject([{ state: 'linked', type: 'azure scim v2.0' }]);
    },
    SLOW,
  );

  describe.each([
    ['with JavaScript', true],
    ['without JavaScript', false],
  ])('%s', (_title, javaScriptEnabled) => {
    test(
      'activates a connection after a test at its identity provider',
      async () => {
        const { url } = await service();
        const options = (await (await fetch(`${url}/_local/idp/options`)).json()) as Options;
        await begin({ javaScriptEnabled });
        await press('Start setup');
        await page.locator('.portal-nav').waitFor();
        await open('sso');
        await press('SAML 2.0');
        await page.getByText('Enter the values by hand').click();
        await page.getByLabel('Entity ID').fill(options.idp_entity_id);
        await page.getByLabel('Sign-in URL').fill(options.idp_sso_url);
        await page.getByLabel('Signing certificate').fill(options.idp_signing_certs[0] ?? '');
        await press('Save');
        await press('Test sign-in');
        await page.getByRole('heading', { name: 'Test identity provider' }).waitFor();
        await press('Sign in');
        if (!javaScriptEnabled) await page.locator('button').first().click();
        await page.getByText('Succeeded').waitFor();
        await picture(page, `portal-tested-${javaScriptEnabled ? 'script' : 'plain'}`);
        await press('Activate');
        await page.getByRole('button', { name: 'Deactivate' }).waitFor();
        const path = `/connections?organization_id=${organizationId}`;
        const { body } = await call<{ data: unknown[] }>('GET', path);
        expect(body.data).toMatchObject([{ state: 'active', connection_type: 'GenericSAML' }]);
      },
      SLOW,
    );
  });
});
