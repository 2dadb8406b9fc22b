import { renderMessage } from '../../../functions/messages/render.ts';
import { findTemplate, TEMPLATES } from '../../../functions/kernel/messages/templates/index.ts';
import { BRAND } from './pages.ts';

const AT = '2026-03-04T05:06:07.000Z';
const REQUEST = {
  address: '203.0.113.7',
  userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/130.0 Safari/537.36',
  at: AT,
};
const CODE = { code: '123456', minutes: 10, request: REQUEST };
const CHANGE = { at: AT, request: REQUEST };

/** Values of every template that is sent by mail, by its name. */
export const MAIL_VALUES: Readonly<Record<string, unknown>> = {
  'account-changed': { change: 'passkey_removed', name: 'Laptop', ...CHANGE },
  'account-code': CODE,
  'email-changed': { ...CHANGE, newEmail: 'ada@new.example' },
  'email-change': CODE,
  'email-verification': CODE,
  'existing-account': {},
  invitation: {
    organizationName: 'Analytical Engines',
    inviterName: 'Grace Hopper',
    acceptUrl: 'https://auth.example.com/hosted/invitation?invitation_token=1234567890123456789012345678901234567890',
    expiresAt: AT,
  },
  'it-contact-invitation': {
    organizationName: 'Analytical Engines',
    intents: ['sso', 'directory_sync'],
    setupUrl: 'https://auth.example.com/portal/1',
    expiresAt: AT,
  },
  'magic-auth': CODE,
  'passkey-added': { ...CHANGE, name: 'Laptop' },
  'password-changed': CHANGE,
  'password-reset': {
    url: 'https://auth.example.com/hosted/reset-password?token=1234567890',
    minutes: 60,
    request: REQUEST,
  },
  'radar-challenge': CODE,
  'recovery-codes-created': CHANGE,
  'recovery-code-used': { ...CHANGE, left: 9 },
  'break-glass': {
    environmentName: 'Production',
    environmentId: 'environment_01',
    reason: 'The identity provider is down',
  },
  'team-invitation': {
    teamName: 'Analytical Engines',
    stagingClientId: 'client_01STAGING',
    productionClientId: 'client_01PRODUCTION',
    serviceUrl: 'https://auth.example.com',
  },
  'waitlist-confirmation': { email: 'ada@example.com' },
  'webhook-endpoint-disabled': {
    environmentName: 'Production',
    endpointId: 'we_01',
    endpointUrl: 'https://app.example.com/hooks',
    reason: 'failing',
  },
  'wrong-factor-codes': CHANGE,
};

/** The names of all templates that are sent by mail. */
export const MAIL_NAMES: readonly string[] = TEMPLATES.filter((template) => 'email' in template).map(
  ({ name }) => name,
);

/** Renders every mail in one language, as HTML by name. @param isBranded true for the brand of the pictures */
export async function collectMails(language: string, isBranded: boolean): Promise<Map<string, string>> {
  const home = { home_url: 'https://nimbus.example/' };
  const settings = isBranded
    ? { pages: BRAND, messages: { brand: { support_email: 'help@nimbus.example' } } }
    : { pages: home };
  const found = new Map<string, string>();
  for (const name of MAIL_NAMES) {
    const template = findTemplate(name);
    if (template === undefined) throw new Error(`There is no template ${name}`);
    const message = { to: 'ada@example.com', locale: language, values: MAIL_VALUES[name] };
    const rendered = await renderMessage('email', template, message, { name: 'Production', settings });
    if (rendered.channel === 'email') found.set(`mail-${name}`, rendered.mail.html);
  }
  return found;
}
