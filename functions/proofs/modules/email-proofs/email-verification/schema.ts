import * as z from 'zod';

import { codeMember, presentSentCode, sentCodeMembers } from '../sent-code/schema.ts';
import { User } from '../../../../tenancy/modules/users/public.ts';
import type { EmailVerificationRecord } from './entity.ts';

export const EmailVerification = z
  .object({ object: z.literal('email_verification'), ...sentCodeMembers, code: codeMember })
  .meta({ id: 'EmailVerification' });

export const VerifyEmailAddress = z
  .object({ code: z.string().max(64).meta({ format: 'password', description: 'The code of the mail.' }) })
  .meta({ id: 'VerifyEmailAddressDto' });

export const SendVerificationEmailResponse = z.object({ user: User }).meta({ id: 'SendVerificationEmailResponse' });
export const VerifyEmailResponse = z.object({ user: User }).meta({ id: 'VerifyEmailResponse' });

/** The event data of an email verification, without the code. */
export const emailVerificationEvent = (record: EmailVerificationRecord) => ({
  object: 'email_verification' as const,
  ...presentSentCode(record),
});

/** A stored email verification as callers see it, with its decrypted code. */
export const presentEmailVerification = (
  record: EmailVerificationRecord,
  code: string,
): z.input<typeof EmailVerification> => ({ ...emailVerificationEvent(record), code });
