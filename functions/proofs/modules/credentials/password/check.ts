import type { Write } from '../../../../kernel/storage/write.ts';
import { normalizeEmail } from '../../../../kernel/address.ts';
import { ABSENT_USER_ID } from '../../../../kernel/id-format.ts';
import type { UserRecord } from '../../../../tenancy/modules/users/public.ts';
import { decoyFor } from './decoys.ts';
import { type PasswordRecord, passwords } from './entity.ts';
import { argon2Hash, decoyHash, hashOwn, isCurrent } from './hash/argon2.ts';
import { readPasswordHash } from './hash/read.ts';
import { normalizePassword } from './rules.ts';
import { cutText } from '../../../../kernel/text.ts';

/** The result of checking a password. */
export interface PasswordCheck {
  ok: boolean;
  /**
   * The write of a current hash, which the caller stages, if the password is correct and its hash was imported or has older
   * parameters.
   */
  rehash?: Write;
}

/**
 * Maximum length of a password that is compared. Longer passwords were never hashed here, and imported ones do not justify
 * normalizing megabytes.
 */
const MAX_CHARACTERS = 4_096;

/**
 * Compares a password with a user's, by one read and one argon2id hash (about 30 ms off the main thread). It costs the same
 * for an unknown user and for a user without a password, so that the time does not reveal whether there is an account. An
 * imported hash also costs one verification of its own kind until the first sign-in replaces it, and so do attempts at half
 * of the addresses without one.
 * @param user the user as found by `findUserConstantReads`, which makes the same reads without a user
 * @param address the address of the attempt, if there is no user
 */
export async function checkPassword(
  environmentId: string,
  user: UserRecord | undefined,
  password: string,
  address = user?.email,
): Promise<PasswordCheck> {
  const record = await passwords.get(environmentId, user?.id ?? ABSENT_USER_ID);
  if (record === undefined || password.length > MAX_CHARACTERS) {
    const tried = cutText(password, 0, MAX_CHARACTERS);
    await argon2Hash(decoyHash).verify(normalizePassword(tried));
    if (address !== undefined) {
      await (await decoyFor(environmentId, normalizeEmail(address) ?? address))?.verify(tried);
    }
    return { ok: false };
  }
  if (!(await matches(record, password))) return { ok: false };
  if (record.type === 'own' && isCurrent(record.hash)) return { ok: true };
  return { ok: true, rehash: passwords.revise(record, await ownHash(password)).write };
}

/** Reports whether a user has a password, by one strongly consistent GetItem. */
export const hasPassword = async (environmentId: string, userId: string): Promise<boolean> =>
  (await passwords.get(environmentId, userId)) !== undefined;

async function matches({ type, hash, saltPosition }: PasswordRecord, password: string): Promise<boolean> {
  const own = await argon2Hash(type === 'own' ? hash : decoyHash).verify(normalizePassword(password));
  // An imported hash was made from the password as typed, without normalization.
  return type === 'own' ? own : readPasswordHash(type, hash, saltPosition).verify(password);
}

/** Computes the attributes of a password's row with a hash of the service's own. */
export const ownHash = async (password: string) => ({
  hash: await hashOwn(normalizePassword(password)),
  type: 'own' as const,
  saltPosition: undefined,
});
