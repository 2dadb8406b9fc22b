import { collection } from '../../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../../kernel/storage/entity.ts';
import {
  attributeIndex,
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../../../kernel/storage/record.ts';

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
    /** The proofs of who made it, an `Authority`; absent in rows from before. */
    proofs: { type: 'any' },
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
