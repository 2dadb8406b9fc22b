import { normalizeEmail } from '../../kernel/address.ts';
import { holderOf } from '../../kernel/storage/unique.ts';
import type { Window } from '../../kernel/storage/window.ts';
import { emailOf, externalIdOf, type UserRecord, users } from './entity.ts';

/** A user of the environment: one strongly consistent GetItem. */
export const findUser = (environmentId: string, id: string): Promise<UserRecord | undefined> =>
  users.get(environmentId, id);

/** Those of some users that are there: one BatchGetItem for each hundred. */
export const findUsersById = (environmentId: string, ids: readonly string[]): Promise<UserRecord[]> =>
  users.getMany(environmentId, ids);

/** Users of an environment in the order of their creation: one Query of an index, which lags by moments. */
export const listUsers = (environmentId: string, window: Window): Promise<UserRecord[]> =>
  users.list('byCreation', { environmentId }, window);

/** The user with an address, in any case: two strongly consistent GetItems, one after the other. */
export async function getUserByEmail(environmentId: string, email: string): Promise<UserRecord | undefined> {
  const value = normalizeEmail(email);
  const user = value === undefined ? undefined : await holderRecord(environmentId, emailOf(environmentId, value));
  // The address was theirs a moment ago: who reads mail there by now is nobody to them.
  return user?.email === value ? user : undefined;
}

/** The user with an `external_id`: two strongly consistent GetItems, one after the other. */
export const getUserByExternalId = (environmentId: string, externalId: string): Promise<UserRecord | undefined> =>
  holderRecord(environmentId, externalIdOf(environmentId, externalId));

async function holderRecord(
  environmentId: string,
  unique: ReturnType<typeof emailOf>,
): Promise<UserRecord | undefined> {
  const id = await holderOf(unique);
  return id === undefined ? undefined : users.get(environmentId, id);
}

/** No user has this id. */
export const NOBODY = 'user_nobody';

/**
 * The user with an address, by as many reads where nobody has it: two GetItems one after the other. For what must not tell by
 * its time who has an account.
 */
export async function soughtUser(environmentId: string, email: string): Promise<UserRecord | undefined> {
  return (await getUserByEmail(environmentId, email)) ?? users.get(environmentId, NOBODY);
}

/**
 * Whether any address of an account was ever proved, by its owner or by the word of the environment's back end. Of a row
 * without the mark only the present address is known: one that is not verified counts as never proved.
 */
export const hasProvedAddress = ({ emailVerified, everProved }: Pick<UserRecord, 'emailVerified' | 'everProved'>) =>
  emailVerified || everProved === true;
