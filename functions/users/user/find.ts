import { normalizeEmail } from '../../kernel/address.ts';
import { ABSENT_USER_ID } from '../../kernel/id-format.ts';
import type { Reading } from '../../kernel/storage/range.ts';
import { findHolder } from '../../kernel/storage/unique.ts';
import type { Window } from '../../kernel/storage/window.ts';
import { emailOf, externalIdOf, type UserRecord, users } from './entity.ts';

/** Finds a user of the environment, by one strongly consistent GetItem. */
export const findUser = (environmentId: string, id: string): Promise<UserRecord | undefined> =>
  users.get(environmentId, id);

/** Finds those of some users that exist, by one BatchGetItem for each hundred. */
export const findUsersById = (environmentId: string, ids: readonly string[]): Promise<UserRecord[]> =>
  users.getMany(environmentId, ids);

/** Users of an environment in the order of their creation, by one Query of an index, eventually consistent. */
export const listUsers = (environmentId: string, window: Window): Promise<Reading<UserRecord>> =>
  users.list('byCreation', { environmentId }).toPage(window);

/** Finds the user with an address, ignoring case, by two strongly consistent GetItems in sequence. */
export async function getUserByEmail(environmentId: string, email: string): Promise<UserRecord | undefined> {
  const value = normalizeEmail(email);
  const user = value === undefined ? undefined : await holderRecord(environmentId, emailOf(environmentId, value));
  // The address belonged to this user a moment ago, but its mailbox may belong to another person in the meantime.
  return user?.email === value ? user : undefined;
}

/** Finds the user with an `external_id`, by two strongly consistent GetItems in sequence. */
export const getUserByExternalId = (environmentId: string, externalId: string): Promise<UserRecord | undefined> =>
  holderRecord(environmentId, externalIdOf(environmentId, externalId));

async function holderRecord(
  environmentId: string,
  unique: ReturnType<typeof emailOf>,
): Promise<UserRecord | undefined> {
  const id = await findHolder(unique);
  return id === undefined ? undefined : users.get(environmentId, id);
}

/**
 * Finds the user with an address, with the same reads if there is none: two GetItems in sequence. It is for operations
 * whose time must not reveal whether there is an account.
 */
export async function findUserConstantReads(environmentId: string, email: string): Promise<UserRecord | undefined> {
  return (await getUserByEmail(environmentId, email)) ?? users.get(environmentId, ABSENT_USER_ID);
}

/**
 * Reports whether any address of an account was ever verified, by its owner or by the environment's back end. For an
 * older row only the current address is known: if it is not verified, the result is false.
 */
export const hasProvedAddress = ({ emailVerified, everProved }: Pick<UserRecord, 'emailVerified' | 'everProved'>) =>
  emailVerified || everProved === true;
