import * as z from 'zod';

import { normalizeEmail } from '../../../kernel/address.ts';
import { EmailSuppression as Members } from '../../../kernel/events/catalogue/emails.ts';
import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import type { SuppressionRecord } from './entity.ts';

export const EmailSuppression = Members.meta({ id: 'EmailSuppression' });
export const EmailSuppressionList = listSchema(EmailSuppression).meta({ id: 'EmailSuppressionList' });

export const ListEmailSuppressions = z.object({
  email: z
    .string()
    .refine((text) => normalizeEmail(text) !== undefined, 'is not an email address')
    .optional()
    .describe('Selects the suppression of this address; case does not matter.'),
  ...pageMembers('email_suppression'),
});

/** A suppression as the API and events show it. */
export const presentSuppression = (record: SuppressionRecord): z.output<typeof EmailSuppression> => ({
  object: 'email_suppression',
  id: record.id,
  email: record.email,
  reason: record.reason,
  detail: record.detail ?? null,
  email_id: record.messageId,
  expires_at: new Date((record.expiresAt ?? 0) * 1_000).toISOString(),
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});
