import { composeMessage } from '../../kernel/messages/compose.ts';
import { existingAccountMail } from '../../kernel/messages/templates/existing-account.ts';
import { ownerKey } from '../../kernel/storage/record.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import {
  checkPassword,
  countSending,
  getUserByEmail,
  stageEmailVerification,
  stagePassword,
  stageUser,
  stageUserChange,
  type UserRecord,
} from '../../user-management/public.ts';

/** Who signs up. */
export interface Newcomer {
  environmentId: string;
  email: string;
  /** Checked against the environment's rules. */
  password: string;
  firstName: string | undefined;
  lastName: string | undefined;
  locale: string;
}

/**
 * Makes an account whose address is still to be proved, and mails the code. Where the address has one already, its owner is
 * told by mail, at the same cost: one hash, one count of what is sent, one mail.
 * @param begunId The account that this browser made earlier in the same sign-in: whoever goes back and sends the form again
 * goes on with it, under the name and the password of now, as long as its address is not proved.
 * @returns the id of the new account; undefined where there was one
 * @throws Failure with 429 when too many were sent to the address
 */
export async function startSignUp(unit: Unit, newcomer: Newcomer, begunId?: string): Promise<string | undefined> {
  const { environmentId, email, password, firstName, lastName, locale } = newcomer;
  const existing = await getUserByEmail(environmentId, email);
  const isBegun = existing !== undefined && existing.id === begunId && !existing.emailVerified;
  if (existing !== undefined && !isBegun) {
    await checkPassword(environmentId, undefined, password);
    await tellOwner(unit, existing, locale);
    return undefined;
  }
  const made = isBegun
    ? stageUserChange(unit, existing, { firstName, lastName, locale })
    : stageUser(unit, { environmentId, email, emailVerified: false, firstName, lastName, locale });
  const user = await stagePassword(unit, made, { password }, { isNew: !isBegun });
  await stageEmailVerification(unit, user, { locale });
  return user.id;
}

/** Mails the owner of an account that somebody tried to sign up with its address; counted as the code that they expect. */
export async function tellOwner(unit: Unit, user: UserRecord, locale: string): Promise<void> {
  const { environmentId, email, id } = user;
  await countSending(unit, environmentId, 'email-verification.email', email);
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
