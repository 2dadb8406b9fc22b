import type * as z from 'zod';

import { Failure, general } from '../../../../kernel/errors.ts';
import { findSettings } from '../../../../kernel/environment-settings.ts';
import {
  invalidPasswordHash,
  passwordAndHashProvided,
  passwordAndHashTypeProvided,
  passwordStrengthError,
  saltPositionRequiresHash,
} from './errors.ts';
import { InvalidPasswordHash, type PasswordHashType, type SaltPosition } from './hash/hash.ts';
import { readImportedHash } from './hash/read.ts';
import { issuesOf } from './rules.ts';
import type { passwordMembers } from './schema.ts';
import { passwordSettings } from './settings.ts';

type PasswordBody = Omit<z.output<z.ZodObject<typeof passwordMembers>>, 'password'> & {
  password?: string | null | undefined;
};

/** A password to be set: in plain text, or as the hash that another service made of it. */
export type NewPassword =
  | { password: string }
  | { hash: string; type: PasswordHashType; saltPosition?: SaltPosition | undefined };

/**
 * Reads the password in a body; undefined if there is none. A hash is parsed, never verified.
 * @throws Failure with one of `passwordErrors` except that of strength, or for a missing member
 */
export function passwordFrom(body: PasswordBody): NewPassword | undefined {
  const { password, password_hash: hash, password_hash_type: type, password_salt_position: saltPosition } = body;
  if (given(password) && given(hash)) throw new Failure(passwordAndHashProvided);
  if (given(password) && given(type)) throw new Failure(passwordAndHashTypeProvided);
  if (given(saltPosition) && (!given(hash) || (given(type) && type !== 'ssha256'))) {
    throw new Failure(saltPositionRequiresHash);
  }
  if (given(password)) return { password };
  if (!given(hash)) {
    if (given(type)) throw missing('password_hash', 'is required with password_hash_type');
    return undefined;
  }
  if (!given(type)) throw missing('password_hash_type', 'is required with password_hash');
  try {
    readImportedHash(type, hash, saltPosition);
  } catch (error) {
    if (!(error instanceof InvalidPasswordHash)) throw error;
    const issue = { field: 'password_hash', code: 'invalid_password_hash', message: error.message };
    throw new Failure(invalidPasswordHash, { issues: [issue] });
  }
  return { hash, type, saltPosition };
}

const given = <T>(value: T): value is NonNullable<T> => value !== undefined && value !== null;

const missing = (field: string, message: string): Failure =>
  new Failure(general.invalidParameters, { issues: [{ field, code: 'required', message }] });

/**
 * The violations of an environment's password rules, none if the list is empty.
 * @param user the account, or the values that it is about to have
 */
export async function passwordIssues(environmentId: string, password: string, user?: { email: string }) {
  return issuesOf(password, await findSettings(environmentId, passwordSettings), user?.email);
}

/**
 * Rejects a weak password in plain text; a hash is accepted, since its password is unknown.
 * @throws Failure with `password_strength_error`
 */
export async function rejectWeakPassword(
  environmentId: string,
  wanted: NewPassword,
  user?: { email: string },
): Promise<void> {
  if (!('password' in wanted)) return;
  const issues = await passwordIssues(environmentId, wanted.password, user);
  if (issues.length > 0) throw new Failure(passwordStrengthError, { issues });
}
