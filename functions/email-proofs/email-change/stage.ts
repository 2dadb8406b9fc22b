import { clock } from '../../kernel/clock.ts';
import type { Failure } from '../../kernel/errors.ts';
import { newUlid } from '../../kernel/ids.ts';
import { composeMessage } from '../../kernel/messages/compose.ts';
import { emailChangedMail } from '../../kernel/messages/templates/account-notice.ts';
import { emailChangeMail } from '../../kernel/messages/templates/email-change.ts';
import { CODE_SECONDS, type CodeOutcome } from '../../kernel/one-time-code/code.ts';
import { type CodeSubject, currentCode, stageCode, useCode } from '../../kernel/one-time-code/entity.ts';
import { ownerKey } from '../../kernel/storage/record.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { stageRevocationOfAll } from '../../sessions/public.ts';
import { composeNotice, stageEndOfBegun, stageUserChange, type UserRecord } from '../../users/public.ts';
import { countSending } from '../sent-code/limits.ts';

/** What the code of a change stands for. */
interface Pending {
  newEmail: string;
  /** The user's epoch when the change was asked for; under another one it is void. */
  epoch: number;
}

const placeOf = ({ environmentId, id }: UserRecord): CodeSubject => ({
  environmentId,
  purpose: 'email-change',
  subject: id,
});

const epochOf = (user: UserRecord): number => user.credentialEpoch ?? 0;

/**
 * Stages a change of a user's address: a code that goes to the new one. A new change takes the place of the one before; the address
 * stays as it is until the code is entered.
 * @param wish `newEmail` as `normalizeEmail` gives it.
 * @throws Failure with 429 when too many were sent for the user
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
  const [{ code, record }] = await Promise.all([
    stageCode(unit, placeOf(user), { codeId, owner, detail }),
    countSending(unit, environmentId, 'email-change.user', id),
  ]);
  unit.stage(
    await composeMessage({
      environmentId,
      channel: 'email',
      to: newEmail,
      template: emailChangeMail,
      values: { code, minutes: CODE_SECONDS / 60 },
      locale: locale ?? user.locale,
      owner,
      usefulSeconds: CODE_SECONDS,
    }),
  );
  return { expiresAt: record.codeExpiresAt, createdAt: record.updatedAt };
}

/** How an entered code was found, and the address that it stands for. */
export type ChangeOutcome = { outcome: CodeOutcome; newEmail: string } | { outcome: 'none' };

/**
 * Compares what was entered with the code of the user's pending change, and stages its use when it is valid. `none` when there is no
 * change, or only one that was used or that the account has outlived: a reset of the password voids it, so that whoever held an
 * account before its owner came cannot take it away again.
 */
export async function checkEmailChange(unit: Unit<never>, user: UserRecord, entered: string): Promise<ChangeOutcome> {
  const standing = await currentCode(placeOf(user));
  if (standing === undefined) return { outcome: 'none' };
  const { outcome, record = standing } = await useCode(unit, placeOf(user), entered);
  const { newEmail, epoch } = JSON.parse(record.detail ?? '{}') as Pending;
  if (outcome === 'used') return { outcome, newEmail };
  if (record.codeUsedAt !== undefined || epoch !== epochOf(user)) return { outcome: 'none' };
  return { outcome, newEmail };
}

/**
 * Stages that a user has a new address, which is proved: sessions and what was begun under the former one end, and whoever reads
 * that one is told.
 * @param taken Refuses the call when another user has the address.
 */
export async function applyEmailChange(
  unit: Unit<'user.updated' | 'session.revoked'>,
  user: UserRecord,
  newEmail: string,
  taken: Failure,
): Promise<UserRecord> {
  const changed = stageUserChange(unit, user, { email: newEmail, emailVerified: true }, { otherwise: taken });
  const revised = stageEndOfBegun(unit, changed);
  await stageRevocationOfAll(unit, user.environmentId, user.id);
  await stageFarewell(unit, user, newEmail);
  return revised;
}

/**
 * Stages a mail to the address that a user had: whoever reads it sees that the account goes elsewhere. None where nobody proved that
 * address, which may be a stranger's, who has no business with the new one.
 * @param user As they were.
 */
export async function stageFarewell(unit: Unit<never>, user: UserRecord, newEmail: string): Promise<void> {
  const notice = await composeNotice(user, emailChangedMail, { newEmail, at: clock.timestamp() });
  if (notice !== undefined) unit.stage(notice);
}
