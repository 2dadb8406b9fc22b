import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import {
  attributeIndex,
  childKey,
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../kernel/storage/record.ts';

const ItContactEntity = entity({
  model: model('it-contact'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    organizationId: { type: 'string', required: true, readOnly: true },
    email: { type: 'string', required: true },
  },
  indexes: {
    primary: childKey('it-contact', 'organizationId'),
    owned: ownedIndex,
  },
});

export type ItContactRecord = RecordOf<typeof ItContactEntity>;
/**
 * Contacts in their organization's partition: `get` is one GetItem, `list` by `primary` one Query, both strongly
 * consistent.
 */
export const itContacts = collection(ItContactEntity, 'silent');

/** The invitation of an organization's contact. Its id is the organization's, so that there is one at a time. */
const InvitationEntity = entity({
  model: model('it-contact-invitation'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...expiringAttributes,
    contactId: { type: 'string', required: true },
    intents: { type: 'list', items: { type: 'string' }, required: true },
    /** SHA-256 of the token in the link. */
    tokenHash: { type: 'string', required: true },
  },
  indexes: {
    primary: recordKey('it-contact-invitation'),
    /** Invitations by the token of their link: one Query (eventually consistent). */
    byToken: attributeIndex('it-contact-invitation', 'tokenHash'),
    owned: ownedIndex,
  },
});

export type InvitationRecord = RecordOf<typeof InvitationEntity>;
export const invitations = collection(InvitationEntity, 'silent');

/**
 * Finds the invitation of a link's token. It is found through the index, which lags, and read again, so that a revoked link
 * is rejected at once.
 */
export async function invitationByToken(
  environmentId: string,
  tokenHash: string,
): Promise<InvitationRecord | undefined> {
  const { data } = await invitations.entity().query.byToken({ environmentId, tokenHash }).go({ limit: 1 });
  const [found] = data;
  const current = found && (await invitations.get(environmentId, found.id));
  return current?.tokenHash === tokenHash ? current : undefined;
}
