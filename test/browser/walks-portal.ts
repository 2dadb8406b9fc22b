import { testPair } from '../support/certificates.ts';
import { nameServer } from '../support/name-server.ts';
import { newLink, portalAddress } from '../support/portal.ts';
import { call, service } from '../support/service.ts';
import type { Walk, Walker } from './walker.ts';

/** Opens the portal of a new organization. @returns the organization's id */
async function enter({ page, send }: Walker, intent?: string): Promise<string> {
  const { body } = await call<{ id: string }>('POST', '/organizations', { name: 'Engines' });
  await page().goto(await newLink(body.id, intent === undefined ? {} : { intent }));
  await send({});
  await page().locator('.portal-nav').waitFor();
  return body.id;
}

/** Waits for the message that a form was saved. */
const saved = ({ page }: Walker): Promise<void> => page().locator('.notice[role="status"]').first().waitFor();

/** The sequences of pages that together send every form of the portal. */
export const PORTAL_WALKS: Readonly<Record<string, Walk>> = {
  'the portal: domains, and its end': {
    forms: ['portal.change_domains', 'portal.change_finish'],
    async walk(walker) {
      const { page, send } = walker;
      await nameServer();
      await enter(walker, 'domain_verification');
      await send({ domain: 'engines.example' });
      await saved(walker);
      await page().getByText('engines.example').first().waitFor();
      await page().getByRole('button', { name: 'Finish setup' }).click();
      // The application's redirect URI is the address to which the portal's links lead back.
      await page().waitForURL(({ pathname }) => !pathname.startsWith('/portal/'));
    },
  },
  'the portal: single sign-on': {
    forms: ['portal.change_connections', 'portal.change_connection', 'portal.change_certificate'],
    async walk(walker) {
      const { page } = walker;
      await enter(walker, 'sso');
      await page().getByRole('button', { name: 'Okta', exact: true }).click();
      await page().getByText('Enter the values by hand').click();
      await page().getByLabel('Entity ID').fill('https://idp.acme.example/x');
      await page().getByLabel('Sign-in URL').fill('https://idp.acme.example/sso');
      await page().getByLabel('Signing certificate').fill(testPair().cert);
      await page().getByRole('button', { name: 'Save' }).click();
      await saved(walker);
      const [, id = ''] = /sso\/(conn_[^/]+)\//.exec(page().url()) ?? [];
      await page().goto(await portalAddress(`certificates/${id}`));
      await page().getByLabel('Signing certificate').first().fill(testPair('next').cert);
      await page().getByRole('button', { name: 'Add a certificate' }).click();
      await saved(walker);
    },
  },
  'the portal: directory sync': {
    forms: ['portal.change_directories', 'portal.change_directory'],
    async walk(walker) {
      const { page } = walker;
      await enter(walker, 'dsync');
      await page().getByRole('button', { name: 'Microsoft Entra ID', exact: true }).click();
      await page().getByRole('button', { name: 'Create a token' }).click();
      await page().getByText('It is shown only once.').waitFor();
    },
  },
  'the portal: audit logs and their receiver': {
    forms: ['portal.change_audit_logs', 'portal.change_log_stream'],
    async walk(walker) {
      const { page } = walker;
      await enter(walker);
      await page().getByRole('link', { name: 'Audit logs' }).click();
      await page().getByRole('button', { name: 'Create export' }).click();
      await page().getByRole('link', { name: 'Download' }).waitFor();
      await page().goto(await portalAddress('log_stream'));
      await page().getByLabel('Address (https)').fill('https://siem.acme.example/logs');
      await page().getByRole('button', { name: 'Save and send' }).click();
      await page().getByText('It is shown only once.').waitFor();
    },
  },
  'the portal: a key of the customer': {
    forms: ['portal.change_own_key'],
    async walk(walker) {
      const { page } = walker;
      await enter(walker, 'bring_your_own_key');
      await page()
        .getByLabel('ARN of the key')
        .fill((await service()).variables.GATEHOUSE_KMS_KEY ?? '');
      await page().getByRole('button', { name: 'Test and save' }).click();
      await saved(walker);
    },
  },
};
