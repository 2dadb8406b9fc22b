import type { Caller } from '../../kernel/limits/caller.ts';
import { composeMessage } from '../../kernel/messages/compose.ts';
import { existingAccountMail } from '../../kernel/messages/templates/existing-account.ts';
import { ownerKey } from '../../kernel/storage/record.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { ownHash, stagePassword } from '../../credentials/public.ts';
import { countSending, stageEmailVerification } from '../../email-proofs/public.ts';
import {
  findUser,
  hasProvedAddress,
  NOBODY,
  soughtUser,
  stageUser,
  stageUserChange,
  type UserRecord,
} from '../../users/public.ts';
import { stageDecoy } from '../flow/decoy.ts';

/** What a sign-up writes beside the mail: the user, the claim of the address, the password, and as {@link CODE_ROWS}. */
const SIGN_UP_ROWS = 7;
/** What a code writes beside its mail: itself, the record that shows it, and events. */
export const CODE_ROWS = 3;

/** Who signs up. */
export interface Newcomer {
  environmentId: string;
  email: string;
  /** Checked against the environment's rules. */
  password: string;
  firstName: string | undefined;
  lastName: string | undefined;
  locale: string;
  /** Who signs up. */
  caller: Caller;
}

/**
 * Makes an account whose address is still to be proved, and mails the code. Where the address has one already, its owner is
 * told by mail, at the same cost: the same reads, one hash, one count of what is sent, one mail, as many rows.
 * @param begunId The account that this browser made earlier in the same sign-in: whoever goes back and sends the form again
 * goes on with it, under the name and the password of now, as long as no address of it was proved.
 * @returns the id of the new account; undefined where there was one
 * @throws Failure with 429 when too many were sent to the address
 */
export async function startSignUp(unit: Unit, newcomer: Newcomer, begunId?: string): Promise<string | undefined> {
  const { environmentId, email, password, firstName, lastName, locale, caller } = newcomer;
  const existing = await soughtUser(environmentId, email);
  const isBegun = existing !== undefined && existing.id === begunId && !hasProvedAddress(existing);
  if (existing !== undefined && !isBegun) {
    await unit.once('hash without a user', () => ownHash(password));
    await tellOwner(unit, existing, { locale, caller }, SIGN_UP_ROWS);
    return undefined;
  }
  const made = isBegun
    ? stageUserChange(unit, existing, { firstName, lastName, locale })
    : stageUser(unit, { environmentId, email, emailVerified: false, firstName, lastName, locale });
  const user = await stagePassword(unit, made, { password }, { isNew: !isBegun });
  await stageEmailVerification(unit, user, { locale, caller });
  return user.id;
}

/**
 * Mails the owner of an account that somebody tried to sign up with its address; counted as the code that they expect.
 * @param rows As many more are written, so that the time does not tell.
 */
export async function tellOwner(
  unit: Unit,
  user: UserRecord,
  { locale, caller }: Pick<Newcomer, 'locale' | 'caller'>,
  rows: number,
): Promise<void> {
  const { environmentId, email, id } = user;
  await Promise.all([
    countSending(unit, environmentId, 'email-verification.email', email, caller),
    stageDecoy(unit, environmentId, rows),
    // A code looks for the one before it.
    findUser(environmentId, NOBODY),
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
