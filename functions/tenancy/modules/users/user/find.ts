import { normalizeEmail } from '../../../../kernel/address.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { ABSENT_USER_ID } from '../../../../kernel/id-format.ts';
import type { Reading } from '../../../../kernel/storage/range.ts';
import { readTogether } from '../../../../kernel/storage/together.ts';
import { findHolder } from '../../../../kernel/storage/unique.ts';
import type { Window } from '../../../../kernel/storage/window.ts';
import { findActivity, listActivities, withActivity } from './activity.ts';
import { emailOf, externalIdOf, type UserRecord, users } from './entity.ts';

/** Finds a user of the environment, by one strongly consistent BatchGetItem of their rows. */
export async function findUser(environmentId: string, id: string): Promise<UserRecord | undefined> {
  const [user, activity] = await readTogether(() =>
    awaitAll([users.get(environmentId, id), findActivity(environmentId, id)]),
  );
  return user && withActivity(user, activity);
}

/** Finds those of some users that exist, by one BatchGetItem for each fifty. */
export async function findUsersById(environmentId: string, ids: readonly string[]): Promise<UserRecord[]> {
  const found = await readTogether(() => awaitAll(ids.map((id) => findUser(environmentId, id))));
  return found.filter((user) => user !== undefined);
}

/**
 * Users of an environment in the order of their creation, by one Query of each shard of an index, eventually consistent, and in
 * parallel of each shard of their activities.
 */
export async function listUsers(environmentId: string, window: Window): Promise<Reading<UserRecord>> {
  const [{ records, ...rest }, activities] = await awaitAll([
    users.list('byCreation', { environmentId }).toPage(window),
    listActivities(environmentId, window),
  ]);
  const known = new Map(activities.records.map((activity) => [activity.id, activity]));
  const { reached } = activities;
  const isRead = (id: string): boolean =>
    reached === undefined || (window.scan === 'asc' ? id <= reached : id >= reached);
  // A user without an activity moves those of the page nearer together, so the page reaches further than they do only if the index lags.
  const found = await readTogether(() =>
    awaitAll(records.map(({ id }) => (isRead(id) ? known.get(id) : findActivity(environmentId, id)))),
  );
  return { records: records.map((user, at) => withActivity(user, found[at])), ...rest };
}

/** Finds the user with an address, ignoring case, by two strongly consistent reads in sequence. */
export async function getUserByEmail(environmentId: string, email: string): Promise<UserRecord | undefined> {
  const value = normalizeEmail(email);
  const user = value === undefined ? undefined : await holderRecord(environmentId, emailOf(environmentId, value));
  // The address belonged to this user a moment ago, but its mailbox may belong to another person in the meantime.
  return user?.email === value ? user : undefined;
}

/** Finds the user with an `external_id`, by two strongly consistent reads in sequence. */
export const getUserByExternalId = (environmentId: string, externalId: string): Promise<UserRecord | undefined> =>
  holderRecord(environmentId, externalIdOf(environmentId, externalId));

async function holderRecord(
  environmentId: string,
  unique: ReturnType<typeof emailOf>,
): Promise<UserRecord | undefined> {
  const id = await findHolder(unique);
  return id === undefined ? undefined : findUser(environmentId, id);
}

/**
 * Finds the user with an address, with the same reads if there is none: a GetItem and a BatchGetItem in sequence. It is for operations
 * whose time must not reveal whether there is an account.
 */
export async function findUserConstantReads(environmentId: string, email: string): Promise<UserRecord | undefined> {
  return (await getUserByEmail(environmentId, email)) ?? findUser(environmentId, ABSENT_USER_ID);
}

/**
 * Reports whether any address of an account was ever verified, by its owner or by the environment's back end. For an
 * older row only the current address is known: if it is not verified, the result is false.
 */
export const hasProvedAddress = ({ emailVerified, everProved }: Pick<UserRecord, 'emailVerified' | 'everProved'>) =>
  emailVerified || everProved === true;
