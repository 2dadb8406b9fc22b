import { anyCaller } from '../../kernel/authentication/caller.ts';
import { environmentIdOf } from '../../kernel/authentication/api-key.ts';
import { readKey } from '../../kernel/authentication/secret-key.ts';
import { clock } from '../../kernel/clock.ts';
import { operation } from '../../kernel/operation.ts';
import type { IncomingRequest } from '../../kernel/http/incoming-request.ts';
import { endingPage } from '../../kernel/pages/ending.ts';
import { html, PageBody } from '../../kernel/pages/html.ts';
import { page } from '../../kernel/pages/layout.ts';
import { plainSurroundings, findSurroundings } from '../../kernel/pages/surroundings.ts';
import type { WordKey } from '../../kernel/pages/words/en.ts';
import { organizations } from '../organization/entity.ts';
import { invitationByToken, itContacts } from './entity.ts';

/** Prefix of the token in a setup link. */
export const SETUP_TOKEN_PREFIX = 'setup_';

const WORDS: Readonly<Record<string, WordKey>> = {
  sso: 'setup.sso',
  directory_sync: 'setup.directory_sync',
  log_streams: 'setup.log_streams',
  domain_verification: 'setup.domain_verification',
  bring_your_own_key: 'setup.bring_your_own_key',
};

/** The page that a setup link opens. */
export const showInvitation = operation({
  id: 'it_contacts.show_invitation',
  method: 'GET',
  path: '/x/it_contact_invitations/{token}',
  summary: 'The page that an IT contact’s setup link opens',
  auth: anyCaller,
  responses: { 200: PageBody },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ params, request }) {
    // The same response for every token that is not valid.
    const ended = () => endingPage(plainSurroundings(request), 'setup.ended');
    return { status: 200, ...((await invitationPage(params.token, request)) ?? ended()) };
  },
});

/** The page of an active invitation. */
async function invitationPage(token: string, request: IncomingRequest) {
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
  const surroundings = await findSurroundings(environmentId, request);
  const { translate } = surroundings.language;
  const items = invitation.intents.map((intent) => {
    const key = WORDS[intent];
    return html`<li>${key === undefined ? intent : translate(key)}</li>`;
  });
  return page(surroundings, {
    title: translate('setup.title', { organization: organization.name }),
    lead: translate('setup.lead', { email: contact.email, organization: organization.name }),
    body: html`<ul>
        ${items}
      </ul>
      <p>${translate('setup.next')}</p>`,
  });
}

export const itContactPageOperations = [showInvitation] as const;
