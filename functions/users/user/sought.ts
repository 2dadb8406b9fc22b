import { getUserByEmail, type UserRecord, users } from './entity.ts';

/** No user has this id. */
export const NOBODY = 'user_nobody';

/**
 * The user with an address, by as many reads where nobody has it: two GetItems one after the other. For what must not tell by
 * its time who has an account.
 */
export async function soughtUser(environmentId: string, email: string): Promise<UserRecord | undefined> {
  return (await getUserByEmail(environmentId, email)) ?? users.get(environmentId, NOBODY);
}
