import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Caller } from '../../../kernel/limits/caller.ts';
import { currentCode } from '../../../kernel/one-time-code/entity.ts';
import { composeMessage } from '../../../kernel/messages/compose.ts';
import { existingAccountMail } from '../../../kernel/messages/templates/existing-account.ts';
import { ABSENT_USER_ID } from '../../../kernel/id-format.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { ownHash, stagePassword } from '../../../proofs/modules/credentials/public.ts';
import { countSending, stageEmailVerification } from '../../../proofs/modules/email-proofs/public.ts';
import {
  hasProvedAddress,
  findUserConstantReads,
  stageUser,
  stageUserChange,
  type UserRecord,
} from '../../../tenancy/modules/users/public.ts';
import { stageDecoy } from '../flow/decoy.ts';

/**
 * Number of rows that a sign-up writes in addition to the mail and the {@link CODE_ROWS}: the user, the claim of the
 * address, the password.
 */
const SIGN_UP_ROWS = 7;
/** Number of rows that a code needs in addition to its mail: itself, its public record, and events. */
export const CODE_ROWS = 3;

/** The client that signs up. */
export interface Newcomer {
  environmentId: string;
  email: string;
  /** The password, checked against the environment's rules. */
  password: string;
  firstName: string | undefined;
  lastName: string | undefined;
  locale: string;
  /** The client that signs up. */
  caller: Caller;
}

/**
 * Creates an account with an unverified address, and mails the code. If the address has an account already, its owner is
 * notified by mail, at the same cost: the same reads, one hash, one count of messages, one mail, the same number of rows.
 * @param startedId The account that this browser created earlier in the same sign-in. A user who goes back and sends the
 * form again continues with it, with the new name and password, unless its address was verified.
 * @returns the id of the new account; undefined if there was one
 * @throws Failure with 429 if too many were sent to the address
 */
export async function startSignUp(unit: Unit, newcomer: Newcomer, startedId?: string): Promise<string | undefined> {
  const { environmentId, email, password, firstName, lastName, locale, caller } = newcomer;
  const existing = await findUserConstantReads(environmentId, email);
  const isContinued = existing !== undefined && existing.id === startedId && !hasProvedAddress(existing);
  if (existing !== undefined && !isContinued) {
    await unit.once('hash without a user', () => ownHash(password));
    await notifyOwner(unit, existing, { locale, caller }, SIGN_UP_ROWS);
    return undefined;
  }
  const made = isContinued
    ? stageUserChange(unit, existing, { firstName, lastName, locale })
    : stageUser(unit, { environmentId, email, emailVerified: false, firstName, lastName, locale });
  const user = await stagePassword(unit, made, { password }, { isNew: !isContinued });
  await stageEmailVerification(unit, user, { locale, caller });
  return user.id;
}

/**
 * Mails the owner of an account that another person tried to sign up with its address, which is counted like a code.
 * @param rows number of decoy rows, so that the response time reveals nothing
 */
export async function notifyOwner(
  unit: Unit,
  user: UserRecord,
  { locale, caller }: Pick<Newcomer, 'locale' | 'caller'>,
  rows: number,
): Promise<void> {
  const { environmentId, email, id } = user;
  await awaitAll([
    countSending(unit, environmentId, 'email-verification.email', email, caller),
    stageDecoy(unit, environmentId, rows),
    // Sending a code reads the previous code, so this reads one too.
    currentCode({ environmentId, purpose: 'email-verification', subject: ABSENT_USER_ID }),
  ]);
  unit.stage(
    await composeMessage({
      environmentId,
      channel: 'email',
      to: email,
      template: existingAccountMail,
      values: {},
      locale: user.locale ?? locale,
      owner: ownerKey('user', id),
    }),
  );
}
