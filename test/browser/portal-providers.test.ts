import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';

import { authorizeUrl } from '../areas/pages/application.ts';
import { openIdProvider } from '../areas/social/openid-provider.ts';
import { Skipped } from '../clients/cache.ts';
import { IDP_ENTITY_ID, type IdentityProvider, startSimpleSamlPhp } from '../counterparts/simplesamlphp/server.ts';
import { testPair } from '../support/certificates.ts';
import { nameServer } from '../support/name-server.ts';
import { newLink, portalAddress } from '../support/portal.ts';
import { makeKeyPair } from '../support/saml/responses.ts';
import { call, reset } from '../support/service.ts';
import { type Application, application } from './application.ts';
import { closeChromium, describeInChromium, findings, person, picture } from './chromium.ts';
import { arrive } from './steps.ts';

const SLOW = 300_000;

let provider: IdentityProvider | undefined;
let app: Application;
let context: BrowserContext | undefined;
let page: Page;
let organizationId: string;
let look: (name: string) => Promise<void>;

beforeEach(async () => {
  await reset({ calm: true });
  (await nameServer()).clear();
  app = await application();
  const { body } = await call<{ id: string }>('POST', '/organizations', { name: 'Engines & Sons' });
  organizationId = body.id;
});

afterEach(async () => {
  await Promise.all([context?.close(), app.close()]);
}, SLOW);
afterAll(async () => {
  provider?.stop();
  await closeChromium();
}, SLOW);

const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
const open = async (path: string) => page.goto(await portalAddress(path));
const readId = (): string => /\/sso\/(conn_[^/]+)\//.exec(page.url())?.[1] ?? '';
const copied = (): Promise<string[]> => page.locator('.copy code').allTextContents();

/** Opens the portal in a new browser. @param name The name of its pictures */
async function begin(name: string, options: Parameters<typeof person>[0]): Promise<void> {
  context = await person({ locale: 'en', ...options });
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
  look = async (step) => {
    await picture(page, `provider-${name}-${step}`);
    expect([step, await findings(page)]).toEqual([step, []]);
  };
  await page.goto(await newLink(organizationId));
  await press('Start setup');
  await page.locator('.portal-nav').waitFor();
}

/** Adds a domain, publishes its record and lets the portal look for it. */
async function verifyDomain(domain: string): Promise<void> {
  await open('domains');
  await page.getByLabel('Domain', { exact: true }).fill(domain);
  await press('Add domain');
  await page.getByText('The domain was added').waitFor();
  const [record = '', value = ''] = (await copied()).filter((text) => text !== 'TXT');
  (await nameServer()).text(record, value);
  await press('Check now');
  await page.getByText('The domain is verified.').waitFor();
}

/** Signs in at SimpleSAMLphp, which shows its form only to a browser that has no session there. */
async function enterAtSimpleSamlPhp(): Promise<void> {
  await page.locator('#username').fill('ada');
  await page.locator('#password').fill('secret');
  await page.locator('#password').press('Enter');
}

/** Sends the form that SimpleSAMLphp shows with its response if no script does it. */
const sendResponse = () => page.locator('noscript button, noscript input[type=submit]').first().click();

/** Signs in from the application through the connection. @returns the email address of the user */
async function signInAtApplication(connectionId: string, respond: () => Promise<unknown>): Promise<string> {
  const url = new URL(await authorizeUrl({ redirect_uri: app.callback, connection_id: connectionId }));
  url.searchParams.delete('provider');
  await page.goto(url.href);
  await respond();
  return (await arrive(page, app)).user.email;
}

/** Creates a directory and its token, calls its SCIM endpoint as a provider does, and waits until the page shows the user. */
async function syncDirectory(hasScripts: boolean): Promise<void> {
  await open('directories');
  await press('Microsoft Entra ID');
  await press('Create a token');
  await page.getByText('It is shown only once').waitFor();
  const [token = '', address = ''] = await copied();
  const [, directory = ''] = /\/directories\/(directory_[^/]+)\//.exec(page.url()) ?? [];
  await open(`directories/${directory}/connect`);
  const user = { userName: 'ada@example.com', name: { givenName: 'Ada', familyName: 'Lovelace' } };
  const made = await call('POST', `${new URL(address).pathname}/Users`, user, { apiKey: token });
  expect(made.status).toBe(201);
  // With JavaScript, the page that waits shows the first call by itself.
  if (!hasScripts) await open(`directories/${directory}/connect`);
  await page.getByText('Ada Lovelace').waitFor();
  await look('directory');
}

const MODES = [
  ['with JavaScript, in the light scheme', { javaScriptEnabled: true, colorScheme: 'light' }],
  ['without JavaScript, in the dark scheme', { javaScriptEnabled: false, colorScheme: 'dark' }],
] as const;

describeInChromium('an administrator in the portal', () => {
  beforeAll(async () => {
    try {
      provider = await startSimpleSamlPhp(makeKeyPair('idp', Date.now() - 86_400_000));
    } catch (error) {
      if (!(error instanceof Skipped)) throw error;
      process.stderr.write(`\nSKIPPED the portal with SimpleSAMLphp in Chromium: ${error.message}\n\n`);
    }
  }, SLOW);

  describe.each(MODES)('%s', (_title, options) => {
    const hasScripts = options.javaScriptEnabled;
    const respond = async (): Promise<void> => (hasScripts ? undefined : sendResponse());

    test(
      'connects SimpleSAMLphp by its guide, sees which certificate is wrong, synchronizes a directory, and users sign in',
      async () => {
        if (provider === undefined) return;
        const metadataUrl = `${provider.url}/saml2/idp/metadata.php`;
        await begin(`saml-${hasScripts ? 'script' : 'plain'}`, options);
        await verifyDomain('example.com');
        await look('domain');
        await open('sso');
        await press('SimpleSAMLphp');
        await page.getByRole('heading', { name: 'At SimpleSAMLphp' }).waitFor();
        const id = readId();
        await look('guide');
        const instructions = (await copied()).find((text) => text.startsWith('$metadata'));
        provider.writeServiceProviders(instructions ?? '');

        await page.getByText('Enter the values by hand').click();
        await page.getByLabel('Entity ID').fill(IDP_ENTITY_ID);
        await page.getByLabel('Sign-in URL').fill(`${provider.url}/saml2/idp/SSOService.php`);
        await page.getByLabel('Signing certificate').fill(testPair('another').cert);
        await press('Save');
        await press('Test sign-in');
        await enterAtSimpleSamlPhp();
        await respond();
        await page.getByText('The certificate is wrong: your identity provider signs with another key.').waitFor();
        await look('wrong-certificate');
        expect(await page.getByRole('button', { name: 'Activate', exact: true }).count()).toBe(0);

        await open(`sso/${id}/configure`);
        if (hasScripts) await page.getByLabel('Address of the metadata').fill(metadataUrl);
        else await page.getByLabel('Metadata (XML)').fill(await (await fetch(metadataUrl)).text());
        await press('Save');
        await press('Test sign-in');
        await respond();
        await page.getByText('Succeeded').waitFor();
        await page.getByText('ada@example.com').first().waitFor();
        await look('tested');
        await open(`sso/${id}/attributes`);
        await page.getByText('engineers').first().waitFor();
        await look('attributes');

        await open(`sso/${id}/keys`);
        await press('Sign our requests');
        await press('Create a key');
        await page.getByRole('button', { name: 'Delete this key' }).waitFor();
        await look('keys');
        const [signing = '', encryption = ''] = (await copied()).map((pem) =>
          pem.replaceAll(/-----[^-]+-----|\s/g, ''),
        );
        const view = await call<{ saml_options: { acs_url: string; sp_entity_id: string } }>(
          'GET',
          `/x/connections/${id}`,
        );
        const { acs_url: acsUrl, sp_entity_id: entityId } = view.body.saml_options;
        provider.register({ entityId, acsUrl, signing, encryption });
        await open(`sso/${id}/test`);
        await press('Test sign-in');
        await respond();
        await page.getByText('Succeeded').waitFor();
        await page.getByText('All checks').click();
        expect(await page.locator('dl.facts', { hasText: 'decryption' }).last().textContent()).toMatch(
          /decryption\s*passed/,
        );
        await look('encrypted');
        await press('Activate');
        await page.getByRole('button', { name: 'Deactivate' }).waitFor();
        await look('active');
        const { body } = await call<{ data: unknown[] }>('GET', `/connections?organization_id=${organizationId}`);
        expect(body.data).toMatchObject([{ id, state: 'active', connection_type: 'SimpleSamlPhpSAML' }]);
        await syncDirectory(hasScripts);
        expect(await signInAtApplication(id, respond)).toBe('ada@example.com');
      },
      SLOW,
    );

    test(
      'connects an OpenID provider, sees that a wrong secret fails, and its users sign in',
      async () => {
        const openId = await openIdProvider();
        await begin(`openid-${hasScripts ? 'script' : 'plain'}`, options);
        await verifyDomain('example.com');
        await open('sso');
        await press('OpenID Connect');
        await page.getByLabel('Client secret').waitFor();
        const id = readId();
        await look('guide');
        openId.open((await copied()).filter((text) => text.includes('/sso/oidc/callback/')));
        const fill = async (secret: string): Promise<void> => {
          await page
            .getByLabel('Address of the discovery document')
            .fill(`${openId.url}/.well-known/openid-configuration`);
          await page.getByLabel('Client ID').fill('gatehouse');
          await page.getByLabel('Client secret').fill(secret);
          await press('Save');
        };
        const consent = async (): Promise<void> => {
          const login = page.locator('input[name=login]');
          const consented = page.locator('button[type=submit]').first();
          await consented.waitFor();
          if ((await login.count()) > 0) {
            await login.fill('ada');
            await page.locator('input[name=password]').fill('any');
            await consented.click();
            await page.locator('input[name=prompt][value=consent]').waitFor({ state: 'attached' });
          }
          if (page.url().startsWith(openId.url)) await page.locator('button[type=submit]').first().click();
        };
        await fill('a-wrong-secret-of-forty-characters-xxxxx');
        await press('Test sign-in');
        await consent();
        await page.getByText('Failed').first().waitFor();
        await look('wrong-secret');
        expect(await page.getByRole('button', { name: 'Activate', exact: true }).count()).toBe(0);
        await open(`sso/${id}/configure`);
        await fill('a-secret-of-thirty-two-characters');
        await press('Test sign-in');
        await page.getByText('Succeeded').waitFor();
        await page.getByText('ada@example.com').first().waitFor();
        await look('tested');
        await press('Activate');
        await page.getByRole('button', { name: 'Deactivate' }).waitFor();
        await look('active');
        expect(await signInAtApplication(id, async () => undefined)).toBe('ada@example.com');
      },
      SLOW,
    );
  });
});
