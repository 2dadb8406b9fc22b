import { newId } from '../../../../kernel/ids.ts';
import type { Caller } from '../../../../kernel/limits/caller.ts';
import { emailVerificationMail } from '../../../../kernel/messages/templates/email-verification.ts';
import { type CodeOutcome, sealedPartOf } from '../../../../kernel/one-time-code/code.ts';
import type { CodeSubject } from '../../../../kernel/one-time-code/entity.ts';
import { useCode } from '../../../../kernel/one-time-code/stage.ts';
import { sendCode } from '../../../../kernel/one-time-code/send.ts';
import { ownerKey } from '../../../../kernel/storage/record.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import { countSending } from '../sent-code/limits.ts';
import type { UserRecord } from '../../../../tenancy/modules/users/public.ts';
import { type EmailVerificationRecord, emailVerifications } from './entity.ts';
import { emailVerificationEvent } from './schema.ts';

const placeOf = ({ environmentId, id }: UserRecord): CodeSubject => ({
  environmentId,
  purpose: 'email-verification',
  subject: id,
});

/**
 * Stages a new code for a user's address and the mail with it; it invalidates the previous code and is valid for ten
 * minutes.
 * @throws Failure with 429 if too many were sent to the address
 */
export async function stageEmailVerification(
  unit: Unit<'email_verification.created'>,
  user: UserRecord,
  { locale, caller }: { locale?: string | undefined; caller?: Caller | undefined } = {},
): Promise<EmailVerificationRecord> {
  const { environmentId, email } = user;
  const id = newId('email_verification');
  const owner = ownerKey('user', user.id);
  const current = await sendCode(
    unit,
    placeOf(user),
    { codeId: id, owner, detail: email },
    {
      to: email,
      template: emailVerificationMail,
      locale: locale ?? user.locale,
      count: () => countSending(unit, environmentId, 'email-verification.email', email, caller),
    },
  );
  const fields = { environmentId, id, owner, userId: user.id, email };
  const creation = emailVerifications.create({ ...fields, ...sealedPartOf(current) }, current.updatedAt);
  return unit.announce(creation, 'email_verification.created', emailVerificationEvent);
}

/**
 * Compares an entered code with the user's current code, and stages its use if it is valid; `proveEmail` makes the
 * further changes. A code for a previous address is invalid.
 */
export async function checkEmailVerification(
  unit: Unit<never>,
  user: UserRecord,
  entered: string,
): Promise<CodeOutcome> {
  const { outcome, record } = await useCode(unit, placeOf(user), entered);
  return outcome !== 'too_many_attempts' && record?.detail !== user.email ? 'invalid' : outcome;
}
