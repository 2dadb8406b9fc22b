/** Every mail with sample values, which a deployed function loads as a file of its own with the first preview (`lib/stack/apart.ts`). */
import type { SealedMessage } from '../../../kernel/messages/compose.ts';
import { findTemplate, templateNames } from '../../../kernel/messages/templates/index.ts';
import { renderMessage } from '../render.ts';

const at = '2026-01-15T12:00:00.000Z';
const request = { address: '203.0.113.7', userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X) Chrome/140.0', at };
const code = { code: '042917', minutes: 10, request };
const link = 'https://auth.acme.example/sample';

/** Sample values of each mail, by the name of its template. */
export const SAMPLE_VALUES: Readonly<Record<string, unknown>> = {
  'account-changed': { change: 'name_changed', name: '', at },
  'account-code': code,
  'email-change': code,
  'email-changed': { at, request, newEmail: 'ada@new.example' },
  'email-verification': code,
  'existing-account': {},
  impersonation: { at },
  invitation: { organizationName: 'Acme', inviterName: 'Grace Hopper', acceptUrl: link, expiresAt: at },
  'it-contact-invitation': {
    organizationName: 'Acme',
    intents: ['sso', 'directory_sync'],
    setupUrl: link,
    expiresAt: at,
  },
  'approval-by-command': {
    environmentName: 'Production',
    environmentId: 'environment_sample',
    operation: 'organizations.delete',
    reason: 'The customer has left',
  },
  'break-glass': {
    environmentName: 'Production',
    environmentId: 'environment_sample',
    reason: 'Identity provider is down',
  },
  'factor-reset': { at },
  'factor-reset-pending': { at, url: link },
  'magic-auth': code,
  'passkey-added': { at, request, name: 'MacBook' },
  'password-changed': { at, request },
  'password-reset': { url: link, minutes: 60, request },
  'radar-challenge': code,
  'recovery-code-used': { at, request, left: 7 },
  'recovery-codes-created': { at, request },
  'team-invitation': {
    teamName: 'Acme',
    stagingClientId: 'client_staging',
    productionClientId: 'client_production',
    serviceUrl: link,
  },
  'waitlist-confirmation': { email: 'ada@acme.example' },
  'webhook-endpoint-disabled': {
    environmentName: 'Production',
    endpointId: 'we_sample',
    endpointUrl: 'https://acme.example/webhooks',
    reason: 'failing',
  },
  'wrong-factor-codes': { at, request },
};

/** The names of the mails, without the templates that are only sent as text messages. */
export const listMails = (): string[] => templateNames().filter((name) => findTemplate(name)?.email !== undefined);

/** The title of a mail in lists. */
export const mailTitle = (name: string): string => `${name[0]?.toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`;

/**
 * Renders a mail with sample values, in the brand of an environment.
 * @returns undefined for an unknown name
 * @throws TypeError for a mail without sample values
 */
export async function renderSampleMail(
  name: string,
  environment: Parameters<typeof renderMessage>[3],
  locale: string,
): Promise<string | undefined> {
  const template = listMails().includes(name) ? findTemplate(name) : undefined;
  if (template === undefined) return undefined;
  if (!Object.hasOwn(SAMPLE_VALUES, name))
    throw new TypeError(`The mail ${name} has no sample values in preview/apart.ts`);
  const sealed: SealedMessage = { to: 'ada@acme.example', locale, values: SAMPLE_VALUES[name] };
  const rendered = await renderMessage('email', template, sealed, environment);
  return rendered.channel === 'email' ? rendered.mail.html : undefined;
}
