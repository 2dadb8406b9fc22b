import { awaitAll } from '../../../kernel/concurrency.ts';
import { DAY_SECONDS } from '../../../kernel/durations.ts';
import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { mintKey } from '../../../kernel/authentication/secret-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { declareError, notFound, orFail } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { readUlid } from '../../../kernel/id-format.ts';
import { tooMany } from '../../../kernel/limits/counter.ts';
import { findMailRoom } from '../../../kernel/messages/allowance.ts';
import { composeMessage } from '../../../kernel/messages/compose.ts';
import { itContactInvitation } from '../../../kernel/messages/templates/it-contact-invitation.ts';
import { operation } from '../../../kernel/operation.ts';
import { wholeList } from '../../../kernel/pagination.ts';
import { settings } from '../../../kernel/settings.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { claim, release } from '../../../kernel/storage/unique.ts';
import {
  findInvitation,
  isActiveInvitation,
  stageEndOfInvitation,
  stageInvitation,
} from '../../modules/portal-access/public.ts';
import { admitMinting, readCallerAuthority } from '../../modules/trust/public.ts';
import { organizations } from '../organization/entity.ts';
import { organizationNotFound } from '../organization/errors.ts';
import { itContacts } from './entity.ts';
import { SETUP_TOKEN_PREFIX } from './invitation.ts';
import { CreateItContact, InviteItContact, ItContact, ItContactList, presentItContact } from './schema.ts';
import { emailOf, MAX_CONTACTS } from './stage.ts';

const INVITATION_DAYS = 14;

const itContactNotFound = notFound('IT contact of this organization');

const itContactAlreadyExists = declareError({
  status: 409,
  code: 'it_contact_already_exists',
  message:
    'This organization already has an IT contact with this email. Find it with GET /organizations/{organization_id}/it_contacts, or send another email.',
});

const invitationAlreadyActive = declareError({
  status: 409,
  code: 'it_contact_invitation_already_active',
  message: 'An IT contact of this organization has an active invitation. Revoke it before you invite again.',
});

export const listItContacts = operation({
  id: 'it_contacts.list',
  method: 'GET',
  path: '/organizations/{organization_id}/it_contacts',
  summary: 'List the IT contacts of an organization',
  auth: apiKey,
  responses: { 200: ItContactList },
  errors: [organizationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const { organization_id: organizationId } = params;
    const [organization, contacts] = await awaitAll([
      organizations.get(environmentId, organizationId),
      itContacts.list('primary', { environmentId, organizationId }).take(MAX_CONTACTS, 'desc'),
    ]);
    if (organization === undefined) throw fail(organizationNotFound);
    return { status: 200, body: wholeList(contacts.map(presentItContact)) };
  },
});

export const createItContact = operation({
  id: 'it_contacts.create',
  method: 'POST',
  path: '/organizations/{organization_id}/it_contacts',
  summary: 'Add an IT contact to an organization; sends no invitation',
  auth: apiKey,
  operator: 'people.change',
  body: CreateItContact,
  responses: { 201: ItContact },
  errors: [organizationNotFound, itContactAlreadyExists],
  emits: [],
  idempotency: 'replay',
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const { organization_id: organizationId } = params;
    const [organization, contacts] = await awaitAll([
      organizations.get(environmentId, organizationId),
      itContacts.list('primary', { environmentId, organizationId }).take(MAX_CONTACTS, 'desc'),
    ]);
    if (organization === undefined) throw fail(organizationNotFound);
    if (contacts.length >= MAX_CONTACTS) {
      const message = `the organization has ${MAX_CONTACTS} IT contacts, which is the limit`;
      throw invalid([{ field: 'email', code: 'too_big', message }]);
    }
    const id = newId('it_contact');
    const owner = ownerKey('organization', organizationId);
    const { record, write } = itContacts.create({ environmentId, id, owner, organizationId, email: body.email });
    unit.stage(write);
    unit.stage(claim(emailOf(environmentId, organizationId, body.email), id, owner), fail(itContactAlreadyExists));
    return { status: 201, body: presentItContact(record) };
  },
});

export const deleteItContact = operation({
  id: 'it_contacts.delete',
  method: 'DELETE',
  path: '/organizations/{organization_id}/it_contacts/{contact_id}',
  summary: 'Delete an IT contact; its setup link stops working',
  auth: apiKey,
  operator: 'people.change',
  responses: { 204: null },
  errors: [itContactNotFound],
  emits: [],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, unit, fail }) {
    const found = await orFail(findContact(environmentId, params), () => fail(itContactNotFound));
    const { contact, invitation } = found;
    unit.stage([
      itContacts.remove(contact),
      release(emailOf(environmentId, contact.organizationId, contact.email), contact.id),
    ]);
    stageEndOfInvitation(unit, invitation, contact.id);
    return { status: 204 };
  },
});

export const inviteItContact = operation({
  id: 'it_contacts.invite',
  method: 'POST',
  path: '/organizations/{organization_id}/it_contacts/{contact_id}/invite',
  summary: 'Send an IT contact a setup link by mail',
  description: `The link opens the [portal](/docs/guides/portal) with the pages of \`intents\`, without a sign-in. An organization has one active invitation at a time; it expires after ${INVITATION_DAYS} days.`,
  auth: apiKey,
  operator: 'people.support',
  body: InviteItContact,
  responses: { 204: null },
  errors: [itContactNotFound, invitationAlreadyActive],
  emits: [],
  idempotency: 'replay',
  async handle({ environmentId, params, body, caller, unit, fail }) {
    const found = await orFail(findContact(environmentId, params), () => fail(itContactNotFound));
    const { contact, invitation: former } = found;
    if (isActiveInvitation(former)) throw fail(invitationAlreadyActive);
    const { organizationId } = contact;
    const owner = ownerKey('organization', organizationId);
    const room = await findMailRoom(environmentId, { to: contact.email, template: itContactInvitation, owner });
    if (!room.allowed) throw tooMany(room);
    const token = mintKey(SETUP_TOKEN_PREFIX, readUlid(environmentId));
    const expiresAt = clock.seconds() + INVITATION_DAYS * DAY_SECONDS;
    const content = { contactId: contact.id, intents: body.intents, tokenHash: token.hash, expiresAt };
    const verdict = admitMinting(readCallerAuthority(caller, clock.now()), organizationId);
    stageInvitation(unit, verdict, { environmentId, former }, content);
    unit.stage(
      await composeMessage({
        environmentId,
        owner,
        channel: 'email',
        to: contact.email,
        template: itContactInvitation,
        values: {
          organizationName: found.organizationName,
          intents: body.intents,
          setupUrl: `${settings().GATEHOUSE_BASE_URL}/portal/links/${token.value}`,
          expiresAt: new Date(expiresAt * 1_000).toISOString(),
        },
      }),
    );
    return { status: 204 };
  },
});

export const revokeItContact = operation({
  id: 'it_contacts.revoke',
  method: 'POST',
  path: '/organizations/{organization_id}/it_contacts/{contact_id}/revoke',
  summary: 'Revoke the active invitation of an IT contact',
  description: 'The setup link stops working. Without an active invitation, nothing changes.',
  auth: apiKey,
  operator: 'people.support',
  responses: { 204: null },
  errors: [itContactNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const found = await orFail(findContact(environmentId, params), () => fail(itContactNotFound));
    stageEndOfInvitation(unit, found.invitation, found.contact.id);
    return { status: 204 };
  },
});

/** A contact with its organization's invitation, by three parallel reads. */
async function findContact(
  environmentId: string,
  { organization_id: organizationId, contact_id: id }: Readonly<Record<'organization_id' | 'contact_id', string>>,
) {
  const [organization, contact, invitation] = await awaitAll([
    organizations.get(environmentId, organizationId),
    itContacts.get(environmentId, id, { organizationId }),
    findInvitation(environmentId, organizationId),
  ]);
  if (organization === undefined || contact === undefined) return undefined;
  return { contact, invitation, organizationName: organization.name };
}

export const itContactOperations = [
  listItContacts,
  createItContact,
  deleteItContact,
  inviteItContact,
  revokeItContact,
] as const;
