import { pageLinks } from '../../../kernel/pages/link.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import { expiringAttributes, ownedRecord } from '../../../kernel/storage/record.ts';

/** A link to the account page, whose id is the hash of its token. Submitting the form of its start page uses it up. */
const AccountLinkEntity = entity(
  ownedRecord('account-link', {
    ...expiringAttributes,
    userId: { type: 'string', required: true },
    /** The user's `credentialEpoch` at that time: the link is invalid when the user has another one. */
    epoch: { type: 'number', required: true },
    /** The session of the application, with which the session of the page ends. */
    sessionId: { type: 'string' },
    returnUrl: { type: 'string' },
    /** The time of a proof of identity that its maker has seen, in milliseconds since the epoch, and its method; absent for most links. */
    provenAt: { type: 'number' },
    method: { type: 'string' },
  }),
);

export type AccountLinkRecord = RecordOf<typeof AccountLinkEntity>;
export const accountLinks = collection(AccountLinkEntity, 'internal');

/** Seconds for which a link is valid. */
export const LINK_SECONDS = 300;

/** The tokens of links, with the prefix `account_`. */
export const linkTokens = pageLinks('account_', accountLinks);
