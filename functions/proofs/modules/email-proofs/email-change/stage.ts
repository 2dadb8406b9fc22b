import { clock } from '../../../../kernel/clock.ts';
import type { Failure } from '../../../../kernel/errors.ts';
import { newUlid } from '../../../../kernel/ids.ts';
import { emailChangedMail } from '../../../../kernel/messages/templates/account-notice.ts';
import { emailChangeMail } from '../../../../kernel/messages/templates/email-change.ts';
import type { CodeOutcome } from '../../../../kernel/one-time-code/code.ts';
import { type CodeSubject, currentCode } from '../../../../kernel/one-time-code/entity.ts';
import { useCode } from '../../../../kernel/one-time-code/stage.ts';
import { sendCode } from '../../../../kernel/one-time-code/send.ts';
import { ownerKey } from '../../../../kernel/storage/record.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import { stageRevocationOfAll } from '../../../../tenancy/sessions/public.ts';
import {
  composeNotice,
  invalidatePendingCredentials,
  stageUserChange,
  type UserRecord,
} from '../../../../tenancy/modules/users/public.ts';
import { countSending } from '../sent-code/limits.ts';

/** The change that a code confirms. */
interface Pending {
  newEmail: string;
  /** The user's epoch at the time of the request: the change is invalid when the user has another one. */
  epoch: number;
}

const placeOf = ({ environmentId, id }: UserRecord): CodeSubject => ({
  environmentId,
  purpose: 'email-change',
  subject: id,
});

const epochOf = (user: UserRecord): number => user.credentialEpoch ?? 0;

/**
 * Stages a change of a user's address: a code is sent to the new one. A new change replaces the previous one; the
 * address stays until the code is entered.
 * @param wish `newEmail` is normalized by `normalizeEmail`.
 * @throws Failure with 429 if too many were sent for the user
 */
export async function stageEmailChange(
  unit: Unit<never>,
  user: UserRecord,
  { newEmail, locale }: { newEmail: string; locale?: string | undefined },
): Promise<{ expiresAt: string; createdAt: string }> {
  const { environmentId, id } = user;
  const owner = ownerKey('user', id);
  const pending: Pending = { newEmail, epoch: epochOf(user) };
  const detail = JSON.stringify(pending);
  const codeId = `email_change_${newUlid()}`;
  const record = await sendCode(
    unit,
    placeOf(user),
    { codeId, owner, detail },
    {
      to: newEmail,
      template: emailChangeMail,
      locale: locale ?? user.locale,
      count: () => countSending(unit, environmentId, 'email-change.user', id),
    },
  );
  return { expiresAt: record.codeExpiresAt, createdAt: record.updatedAt };
}

/** The result of an entered code, and the address that it confirms. */
export type ChangeOutcome = { outcome: CodeOutcome; newEmail: string } | { outcome: 'none' };

/**
 * Compares an entered code with that of the user's pending change, and stages its use if it is valid. The result is `none`
 * if there is no change, or only a used or invalidated one. A password reset invalidates it, so that a previous owner of
 * the account cannot take it over again.
 */
export async function checkEmailChange(unit: Unit<never>, user: UserRecord, entered: string): Promise<ChangeOutcome> {
  const current = await currentCode(placeOf(user));
  if (current === undefined) return { outcome: 'none' };
  const { outcome, record = current } = await useCode(unit, placeOf(user), entered);
  const { newEmail, epoch } = JSON.parse(record.detail ?? '{}') as Pending;
  if (outcome === 'used') return { outcome, newEmail };
  if (record.codeUsedAt !== undefined || epoch !== epochOf(user)) return { outcome: 'none' };
  return { outcome, newEmail };
}

/**
 * Stages a user's new, verified address. Earlier sessions and credentials are invalidated, and a notice is sent to the
 * previous address.
 * @param taken rejects the call if another user has the address
 */
export async function applyEmailChange(
  unit: Unit<'user.updated' | 'session.revoked'>,
  user: UserRecord,
  newEmail: string,
  taken: Failure,
): Promise<UserRecord> {
  const changed = stageUserChange(unit, user, { email: newEmail, emailVerified: true }, { otherwise: taken });
  const revised = invalidatePendingCredentials(unit, changed);
  await stageRevocationOfAll(unit, user.environmentId, user.id);
  await stageAddressChangedNotice(unit, user, newEmail);
  return revised;
}

/**
 * Compares an entered code with that of the user's pending change and, if it is valid, stages the change: see {@link
 * checkEmailChange} and {@link applyEmailChange}.
 * @returns the outcome, with the changed user if the code is valid
 */
export async function changeEmail(
  unit: Unit<'user.updated' | 'session.revoked'>,
  user: UserRecord,
  entered: string,
  taken: Failure,
): Promise<{ outcome: ChangeOutcome['outcome']; changed?: UserRecord }> {
  const change = await checkEmailChange(unit, user, entered);
  if (change.outcome !== 'valid') return { outcome: change.outcome };
  return { outcome: 'valid', changed: await applyEmailChange(unit, user, change.newEmail, taken) };
}

/**
 * Stages a mail to the user's previous address about the change. None is sent if that address was never verified, because
 * it may belong to another person, who must not learn the new one.
 * @param user the user before the change
 */
export async function stageAddressChangedNotice(unit: Unit<never>, user: UserRecord, newEmail: string): Promise<void> {
  const notice = await composeNotice(user, emailChangedMail, { newEmail, at: clock.timestamp() });
  if (notice !== undefined) unit.stage(notice);
}
