import { everybody } from '../../kernel/authentication/caller.ts';
import { environmentIdOf } from '../../kernel/authentication/api-key.ts';
import { readKey } from '../../kernel/authentication/secret-key.ts';
import { clock } from '../../kernel/clock.ts';
import { operation } from '../../kernel/operation.ts';
import { escapeHtml, Html, page } from '../../kernel/http/page.ts';

import { organizations } from '../organization/entity.ts';
import { invitationByToken, itContacts } from './entity.ts';

/** Prefix of the token in a setup link. */
export const SETUP_TOKEN_PREFIX = 'setup_';

const WORDS: Readonly<Record<string, string>> = {
  sso: 'single sign-on',
  directory_sync: 'directory sync',
  log_streams: 'log streams',
  domain_verification: 'domain verification',
  bring_your_own_key: 'bring your own key',
};

/** The page that a setup link opens. */
export const showInvitation = operation({
  id: 'it_contacts.show_invitation',
  method: 'GET',
  path: '/x/it_contact_invitations/{token}',
  summary: 'The page that an IT contact’s setup link opens',
  auth: everybody,
  responses: { 200: Html },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ params }) {
    const content = (await invitationContent(params.token)) ?? ended;
    return { status: 200, ...page(content) };
  },
});

const ended = {
  title: 'This invitation is no longer valid',
  body: '<p>The link is no longer valid. Ask the person who invited you to send a new one.</p>',
};

/** The text of an active invitation; all invalid tokens have the same response. */
async function invitationContent(token: string): Promise<{ title: string; body: string } | undefined> {
  const key = readKey(SETUP_TOKEN_PREFIX, token);
  if (key === undefined) return undefined;
  const environmentId = environmentIdOf(key.ulid);
  const invitation = await invitationByToken(environmentId, key.hash);
  if (invitation === undefined || (invitation.expiresAt ?? 0) <= clock.seconds()) return undefined;
  const [organization, contact] = await Promise.all([
    organizations.get(environmentId, invitation.id),
    itContacts.get(environmentId, invitation.contactId, { organizationId: invitation.id }),
  ]);
  if (organization === undefined || contact === undefined) return undefined;
  const items = invitation.intents.map((intent) => `<li>${escapeHtml(WORDS[intent] ?? intent)}</li>`).join('');
  return {
    title: `Set up ${organization.name}`,
    body:
      `<p>${escapeHtml(contact.email)} is invited to set up, for <strong>${escapeHtml(organization.name)}</strong>:</p>` +
      `<ul>${items}</ul><p>The invitation is valid. The people who invited you will open the setup with you.</p>`,
  };
}
