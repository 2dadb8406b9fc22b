import * as z from 'zod';

import { timestamp } from '../../../../kernel/values.ts';
import { mailLocale } from '../../../../kernel/mail-locale.ts';
import { User } from '../../../../tenancy/modules/users/public.ts';

export const SendEmailChange = z
  .object({ new_email: z.string().max(320), locale: mailLocale })
  .meta({ id: 'SendEmailChangeDto' });

export const ConfirmEmailChange = z
  .object({ code: z.string().max(64).meta({ format: 'password', description: 'The code of the mail.' }) })
  .meta({ id: 'ConfirmEmailChangeDto' });

export const EmailChange = z
  .object({
    object: z.literal('email_change'),
    user: User,
    new_email: z.string(),
    expires_at: timestamp,
    created_at: timestamp,
  })
  .meta({ id: 'EmailChange' });

export const EmailChangeConfirmation = z.object({ object: z.literal('email_change_confirmation'), user: User });
