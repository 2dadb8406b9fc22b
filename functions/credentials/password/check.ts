import type { Write } from '../../kernel/storage/write.ts';
import { normalizeEmail } from '../../kernel/address.ts';
import { NOBODY, type UserRecord } from '../../users/public.ts';
import { decoyFor } from './decoys.ts';
import { type PasswordRecord, passwords } from './entity.ts';
import { argon2Hash, decoyHash, hashOwn, isCurrent } from './hash/argon2.ts';
import { readPasswordHash } from './hash/read.ts';
import { normalizePassword } from './rules.ts';
import { cutText } from '../../kernel/text.ts';

/** How a password was found. */
export interface PasswordCheck {
  ok: boolean;
  /** With a right password whose hash was imported or made with older parameters: the write of today's, to be staged. */
  rehash?: Write;
}

/** Beyond this nothing was ever hashed here, and what was elsewhere is not worth normalizing megabytes for. */
const MAX_CHARACTERS = 4_096;

/**
 * Compares a password with a user's: one read and one argon2id (about 30 ms off the main thread), also for an unknown user
 * and for one without a password, so that the time does not tell who has an account. An imported hash costs one of its own kind
 * besides until the first sign-in replaces it, and so do the tries at half of the addresses that have none.
 * @param user As `soughtUser` finds them, which reads as much where nobody has the address.
 * @param address The address that was tried, where there is no user.
 */
export async function checkPassword(
  environmentId: string,
  user: UserRecord | undefined,
  password: string,
  address = user?.email,
): Promise<PasswordCheck> {
  const record = await passwords.get(environmentId, user?.id ?? NOBODY);
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

async function matches({ type, hash, saltPosition }: PasswordRecord, password: string): Promise<boolean> {
  const own = await argon2Hash(type === 'own' ? hash : decoyHash).verify(normalizePassword(password));
  // An imported hash was made of the password as it was typed.
  return type === 'own' ? own : readPasswordHash(type, hash, saltPosition).verify(password);
}

/** The attributes of a password's row when the service hashes it itself. */
export const ownHash = async (password: string) => ({
  hash: await hashOwn(normalizePassword(password)),
  type: 'own' as const,
  saltPosition: undefined,
});
