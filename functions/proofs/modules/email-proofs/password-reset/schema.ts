import * as z from 'zod';

import { emailInput, timestamp } from '../../../../kernel/values.ts';
import { User } from '../../../../tenancy/modules/users/public.ts';
import { mailLocale } from '../../../../kernel/mail-locale.ts';
import type { PasswordResetRecord } from './entity.ts';

export const PasswordReset = z
  .object({
    object: z.literal('password_reset'),
    id: z.string(),
    user_id: z.string(),
    email: z.string(),
    expires_at: timestamp,
    created_at: timestamp,
    password_reset_token: z.string().meta({ format: 'password' }),
    password_reset_url: z.string().meta({ format: 'password' }),
  })
  .meta({ id: 'PasswordReset' });

export const CreatePasswordReset = z
  .object({ email: emailInput, locale: mailLocale })
  .meta({ id: 'CreatePasswordResetTokenDto' });

export const ConfirmPasswordReset = z
  .object({
    token: z.string().max(512).meta({ format: 'password', description: 'The token of the link that was mailed.' }),
    new_password: z.string().meta({ format: 'password' }),
  })
  .meta({ id: 'CreatePasswordResetDto' });

export const ResetPasswordResponse = z.object({ user: User }).meta({ id: 'ResetPasswordResponse' });

/** The event data of a password reset, without the token and the link. */
export const passwordResetEvent = ({ id, userId, email, endsAt, createdAt }: PasswordResetRecord) => ({
  object: 'password_reset' as const,
  id,
  user_id: userId,
  email,
  expires_at: endsAt,
  created_at: createdAt,
});
