import { collection } from '../../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../../kernel/storage/entity.ts';
import {
  attributeIndex,
  childIndex,
  ENVIRONMENT_OWNER,
  environmentKey,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../../../kernel/storage/record.ts';
import { claim, findHolder, release, type UniqueValue } from '../../../../kernel/storage/unique.ts';
import type { Write } from '../../../../kernel/storage/write.ts';

const WaitlistEntity = entity({
  model: model('waitlist'),
  attributes: { ...recordAttributes, ...ownedAttributes },
  indexes: { primary: environmentKey('waitlists'), owned: ownedIndex },
});

export type WaitlistRecord = RecordOf<typeof WaitlistEntity>;

/** Waitlists of an environment: `get` is one GetItem, `list` by `primary` one Query, both strongly consistent. */
export const waitlists = collection(WaitlistEntity, 'silent');

/** The alias by which callers name the only waitlist without its id. */
export const DEFAULT_WAITLIST = 'default';

const defaultOf = (environmentId: string): UniqueValue => ({
  environmentId,
  kind: 'waitlist',
  value: DEFAULT_WAITLIST,
});

/** The write that makes a waitlist the default. It fails if there is one already. */
export const claimDefault = ({ environmentId, id }: WaitlistRecord): Write =>
  claim(defaultOf(environmentId), id, ENVIRONMENT_OWNER);

/** Finds a waitlist by its id or by `default`, by one or two GetItems. */
export async function findWaitlist(environmentId: string, name: string): Promise<WaitlistRecord | undefined> {
  const id = name === DEFAULT_WAITLIST ? await findHolder(defaultOf(environmentId)) : name;
  return id === undefined ? undefined : waitlists.get(environmentId, id);
}

const WaitlistEntryEntity = entity({
  model: model('waitlist-entry'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    waitlistId: { type: 'string', required: true, readOnly: true },
    /** The email address, normalized by `normalizeEmail`. */
    email: { type: 'string', required: true, readOnly: true },
    state: { type: ['pending', 'approved', 'denied'] as const, required: true },
    approvedAt: { type: 'string' },
    additionalFields: { type: 'any', required: true },
  },
  indexes: {
    primary: recordKey('waitlist-entry'),
    /** All entries of a waitlist: one Query for each page. */
    byWaitlist: childIndex('waitlist-entry', 'waitlistId'),
    /** The entries of a waitlist in one state: one Query for each page. */
    byState: attributeIndex('waitlist-entry', 'waitlistId', 'state'),
    owned: ownedIndex,
  },
});

export type WaitlistEntryRecord = RecordOf<typeof WaitlistEntryEntity>;

/** Entries of waitlists: `get` is one GetItem, `list` is one Query for each page, which lags by moments. */
export const waitlistEntries = collection(WaitlistEntryEntity, {
  events: ['waitlist_user.created', 'waitlist_user.approved', 'waitlist_user.denied'],
  silent: ['removal'],
});

const emailOf = (environmentId: string, waitlistId: string, email: string): UniqueValue => ({
  environmentId,
  kind: 'waitlist_entry.email',
  value: `${waitlistId}#${email}`,
});

/** The row that makes an address unique within a waitlist. */
export const claimEmail = ({ environmentId, waitlistId, email, id }: WaitlistEntryRecord): Write =>
  claim(emailOf(environmentId, waitlistId, email), id, ENVIRONMENT_OWNER);

export const releaseEmail = ({ environmentId, waitlistId, email, id }: WaitlistEntryRecord): Write =>
  release(emailOf(environmentId, waitlistId, email), id);

/** Finds the entry of an address, by two strongly consistent GetItems in sequence. */
export async function findEntry(
  environmentId: string,
  waitlistId: string,
  email: string,
): Promise<WaitlistEntryRecord | undefined> {
  const id = await findHolder(emailOf(environmentId, waitlistId, email));
  return id === undefined ? undefined : waitlistEntries.get(environmentId, id);
}
