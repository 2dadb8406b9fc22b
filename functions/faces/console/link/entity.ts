import { normalizeEmail } from '../../../kernel/address.ts';
import { sha256Hex } from '../../../kernel/keys/hash.ts';
import { pageLinks } from '../../../kernel/pages/link.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import { expiringAttributes, ownedRecord } from '../../../kernel/storage/record.ts';

/** An access to one environment that needs no user, no role and no connection. */
export interface BreakGlass {
  environmentId: string;
  /** The reason that was given, 4 to 200 characters. */
  reason: string;
}

/** A link into the console, whose id is the hash of its token. Submitting the form of its page uses it up. */
const ConsoleLinkEntity = entity(
  ownedRecord('console-link', {
    ...expiringAttributes,
    /** The address of the operator; absent if the person who opens the link enters it. */
    email: { type: 'string' },
    name: { type: 'string' },
    /** The role for all environments that the operator is given; absent for one who has roles already. */
    role: { type: 'string' },
    /** True for a link that is void as soon as there is an owner. */
    isForFirstOwner: { type: 'boolean' },
    /** The {@link BreakGlass} of a link that opens one environment without a user. */
    breakGlass: { type: 'any' },
    /** The proofs of who made it, an `Authority`; absent in rows from before. */
    proofs: { type: 'any' },
  }),
);

export type ConsoleLinkRecord = RecordOf<typeof ConsoleLinkEntity>;
export const consoleLinks = collection(ConsoleLinkEntity, 'internal');

const makeId = (kind: string, email: string): string => `${kind}#${sha256Hex(normalizeEmail(email) ?? email)}`;

/** The id of the row that ends the earlier links of an address, in whatever case it is written; no token has this id. */
export const endOfLinks = (email: string): string => makeId('ended', email);

/**
 * The id of the row of an invitation that was not used: an operator of this address who is no member yet, with the role. Using a
 * link of the address and revoking it both remove the row, so that of both at the same moment one is done after the other.
 */
export const openInvitation = (email: string): string => makeId('invited', email);

/** Seconds for which a link is valid: 24 hours. */
export const LINK_SECONDS = 86_400;

/** The tokens of links, with the prefix `console_`. */
export const linkTokens = pageLinks('console_', consoleLinks);
