import { sha256Hex } from '../../../../kernel/keys/hash.ts';
import { collection } from '../../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../../kernel/storage/entity.ts';
import {
  attributeIndex,
  creationIndex,
  ENVIRONMENT_OWNER,
  model,
  ownedAttributes,
  ownedIndex,
  ownerKey,
  partition,
  recordAttributes,
  recordKey,
  sortedBy,
} from '../../../../kernel/storage/record.ts';
import { claim, findHolder, releaseIfHeld, type UniqueValue } from '../../../../kernel/storage/unique.ts';
import type { Write } from '../../../../kernel/storage/write.ts';

const InvitationEntity = entity({
  model: model('invitation'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    /** The email address, normalized by `normalizeEmail`. */
    email: { type: 'string', required: true, readOnly: true },
    organizationId: { type: 'string', readOnly: true },
    roleSlug: { type: 'string' },
    /** The id of the role that the slug named; older rows have none. */
    roleId: { type: 'string' },
    inviterUserId: { type: 'string' },
    acceptedUserId: { type: 'string' },
    acceptedAt: { type: 'string' },
    revokedAt: { type: 'string' },
    /** The time of its expiry (ISO 8601). It is not a TTL, because an expired invitation is still listed. */
    endsAt: { type: 'string', required: true },
    /** The number of days for which it is valid after each time that it is sent. */
    days: { type: 'number', required: true },
    /** The language of the invitation's mails (BCP 47). */
    locale: { type: 'string' },
    /** The encrypted token; a presented token is compared with its hash in another row. */
    token: { type: 'any', required: true },
    /** The hash, by which that row is removed; older rows have none. */
    tokenHash: { type: 'string', readOnly: true },
  },
  indexes: {
    primary: recordKey('invitation'),
    byCreation: creationIndex('invitation'),
    /** The invitations to an address: one Query for each page. */
    byEmail: attributeIndex('invitation', 'email'),
    /** The invitations to an organization: one Query for each page. */
    byOrganization: {
      index: 'gsi3',
      condition: ({ organizationId }: { organizationId?: unknown }) => Boolean(organizationId),
      pk: partition('gsi3pk', 'invitation', 'organizationId'),
      sk: sortedBy('gsi3sk', 'id'),
    },
    owned: ownedIndex,
  },
});

export type InvitationRecord = RecordOf<typeof InvitationEntity>;

/** Invitations: `get` is one GetItem, `list` is one Query for each page, which lags by moments. */
export const invitations = collection(InvitationEntity, {
  events: ['invitation.created', 'invitation.resent', 'invitation.accepted', 'invitation.revoked'],
  // Invitations to the address of a deleted user are removed; the pending ones have an event.
  silent: ['removal'],
});

/** The owner that an invitation is erased with. */
export const ownerFor = (organizationId: string | undefined): string =>
  organizationId === undefined ? ENVIRONMENT_OWNER : ownerKey('organization', organizationId);

/**
 * The unique key of a pending invitation: only one can exist for each address and organization, or for each address and the
 * environment.
 */
export const openPlace = (
  environmentId: string,
  { email, organizationId = '' }: { email: string; organizationId?: string | undefined },
): UniqueValue => ({ environmentId, kind: 'invitation.open', value: `${organizationId}#${email}` });

/** The form in which a token is looked up. It has full entropy. */
export const hashToken = (token: string): string => sha256Hex(token);

const tokenPlace = (environmentId: string, tokenHash: string): UniqueValue => ({
  environmentId,
  kind: 'invitation.token',
  value: tokenHash,
});

/** The row by which a token finds its invitation: the hash of the token. */
export const claimToken = ({ environmentId, id, organizationId, tokenHash = '' }: InvitationRecord): Write =>
  claim(tokenPlace(environmentId, tokenHash), id, ownerFor(organizationId));

/** The write that removes that row. In an older invitation, whose row has no hash, nothing has the address there. */
export const releaseToken = ({ environmentId, id, tokenHash }: InvitationRecord): Write[] =>
  tokenHash === undefined ? [] : [releaseIfHeld(tokenPlace(environmentId, tokenHash), id)];

/** Finds the invitation of a token, in any state, by two strongly consistent GetItems in sequence. */
export async function findInvitationByToken(
  environmentId: string,
  token: string,
): Promise<InvitationRecord | undefined> {
  const id = await findHolder(tokenPlace(environmentId, hashToken(token)));
  return id === undefined ? undefined : invitations.get(environmentId, id);
}

/** The newest invitations to an address (normalized), in any state, by one Query (eventually consistent). */
export const listInvitationsTo = (environmentId: string, email: string, limit: number): Promise<InvitationRecord[]> =>
  invitations.list('byEmail', { environmentId, email }).take(limit, 'desc');
