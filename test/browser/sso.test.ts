import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';

import { Skipped } from '../clients/cache.ts';
import { type IdentityProvider, startSimpleSamlPhp } from '../counterparts/simplesamlphp/server.ts';
import { makeKeyPair } from '../support/saml/responses.ts';
import { call, idle, reset } from '../support/service.ts';
import { authorizeUrl, exchange } from '../areas/pages/application.ts';
import { type Application, application } from './application.ts';
import { closeChromium, describeInChromium, findings, person, picture } from './chromium.ts';
import { arrive, press } from './steps.ts';

const SLOW = 300_000;

let provider: IdentityProvider | undefined;
let app: Application | undefined;
let context: BrowserContext | undefined;

beforeEach(() => reset({ calm: true }));
afterEach(async () => {
  await Promise.all([context?.close(), app?.close()]);
}, SLOW);
afterAll(async () => {
  provider?.stop();
  await closeChromium();
}, SLOW);

/** The body of a certificate in PEM. */
const readDer = (pem: string): string => pem.replaceAll(/-----[^-]+-----|\s/g, '');

interface Setup {
  connectionId: string;
  entityId: string;
  page: Page;
  app: Application;
}

/** A connection to SimpleSAMLphp by its metadata, with signed requests, and an application. */
async function setUp({ url, register }: IdentityProvider, isEncrypted: boolean): Promise<Setup> {
  const made = async <T>(path: string, body?: object): Promise<T> => {
    const response = await call<T>('POST', path, body);
    expect([path, response.status, response.body]).toEqual([path, 201, response.body]);
    return response.body;
  };
  const domain_data = [{ domain: 'example.com', state: 'verified' }];
  const { id: organization_id } = await made<{ id: string }>('/organizations', { name: 'Acme', domain_data });
  const idp_metadata_url = `${url}/saml2/idp/metadata.php`;
  const saml = { organization_id, name: 'Acme staff', saml_options: { idp_metadata_url } };
  const { id } = await made<{ id: string }>('/connections', saml);
  const signing = await made<{ value: string }>(`/connections/${id}/saml_sp_signing_cert`);
  const encryption = isEncrypted
    ? { encryption: readDer((await made<{ value: string }>(`/connections/${id}/saml_sp_encryption_certs`)).value) }
    : {};
  const displayed = await call<{ saml_options: { acs_url: string; sp_entity_id: string } }>(
    'GET',
    `/x/connections/${id}`,
  );
  const { acs_url: acsUrl, sp_entity_id: entityId } = displayed.body.saml_options;
  register({ entityId, acsUrl, signing: readDer(signing.value), ...encryption });
  app = await application();
  context = await person({ locale: 'en' });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  return { connectionId: id, entityId, page, app };
}

/** Enters the password of the provider's one user. */
async function enterAtProvider(page: Page): Promise<void> {
  await page.locator('#username').fill('ada');
  await page.locator('#password').fill('secret');
  await page.locator('#password').press('Enter');
}

describeInChromium('a user of SimpleSAMLphp in Chromium', () => {
  beforeAll(async () => {
    try {
      provider = await startSimpleSamlPhp(makeKeyPair('idp', Date.now() - 86_400_000));
    } catch (error) {
      if (!(error instanceof Skipped)) throw error;
      process.stderr.write(`\nSKIPPED a user of SimpleSAMLphp in Chromium: ${error.message}\n\n`);
    }
  }, SLOW);

  test.each([
    ['in clear', false],
    ['encrypted', true],
  ])(
    'signs in from the application, with a signed request and an assertion %s',
    async (_, isEncrypted) => {
      if (provider === undefined) return;
      const { connectionId, page, app: own } = await setUp(provider, isEncrypted);
      const url = new URL(await authorizeUrl({ redirect_uri: own.callback, connection_id: connectionId }));
      url.searchParams.delete('provider');
      await page.goto(url.href);
      await enterAtProvider(page);
      const { user, organization_id } = await arrive(page, own);
      expect([user.email, typeof organization_id]).toEqual(['ada@example.com', 'string']);
      await idle();
      const { body } = await call<{ data: { checks: { check: string; outcome: string }[] }[] }>(
        'GET',
        `/x/connections/${connectionId}/attempts`,
      );
      const outcomes = Object.fromEntries((body.data[0]?.checks ?? []).map(({ check, outcome }) => [check, outcome]));
      expect(outcomes.decryption).toBe(isEncrypted ? 'passed' : 'not_applicable');
    },
    SLOW,
  );

  test(
    'signs in from the provider: again with a request by default, and after a page where the connection allows it',
    async () => {
      if (provider === undefined) return;
      const { connectionId, entityId, page, app: own } = await setUp(provider, true);
      const tile = `${provider.url}/saml2/idp/SSOService.php?${new URLSearchParams({ spentityid: entityId }).toString()}`;
      await page.goto(tile);
      await enterAtProvider(page);
      expect((await arrive(page, own)).user.email).toBe('ada@example.com');
      const settings = { idp_initiated: 'allow' };
      expect((await call('PATCH', `/x/connections/${connectionId}`, { settings })).status).toBe(200);
      await page.goto(tile);
      await page.getByRole('heading', { name: 'Continue with this account?' }).waitFor();
      for (const displayed of ['ada@example.com', 'Acme staff', new URL(own.callback).host]) {
        expect(await page.getByText(displayed).count()).toBeGreaterThan(0);
      }
      expect(await findings(page)).toEqual([]);
      await picture(page, 'sso-consent');
      await press(page, 'Continue');
      expect((await arrive(page, own)).user.email).toBe('ada@example.com');
      await page.goto(tile);
      await press(page, 'Cancel');
      await page.waitForURL(/error=signin_consent_denied/);
      await expect(exchange(page.url())).rejects.toThrow();
    },
    SLOW,
  );
});
