import * as z from 'zod';
import type { EventFamily } from './family.ts';
import { text, textOrNull, timestamp } from './values.ts';

const email = {
  object: z.literal('email'),
  /** The id of the message, which is the same in each event about it. */
  id: text,
  email: text,
  /** The kind of the mail, such as `magic-auth`. */
  template: text,
  created_at: timestamp,
};

const suppressionId = textOrNull.describe('The suppression of the address; null if there is none.');

/** An address to which an environment sends no mail. */
export const EmailSuppression = z.object({
  object: z.literal('email_suppression'),
  id: text,
  email: text,
  reason: z.enum(['bounce', 'complaint']),
  detail: textOrNull.describe(
    'The report of SES: the subtype of the bounce, such as `NoEmail`, or the kind of complaint, such as `abuse`.',
  ),
  email_id: text.describe('The message that bounced or was reported as spam.'),
  expires_at: timestamp.describe('The time from which mail is sent to the address again.'),
  created_at: timestamp,
  updated_at: timestamp,
});

/** Events about the delivery of email and about suppressed addresses. The contract does not have them. */
export const emailEvents = {
  'email.bounced': {
    data: z.object({
      ...email,
      bounce_type: z.enum(['permanent', 'transient', 'undetermined']),
      bounce_sub_type: textOrNull,
      status: textOrNull.describe('The status of RFC 3463 by which the recipient’s host rejected it, such as 5.1.1.'),
      suppression_id: suppressionId,
    }),
    subscribable: true,
  },
  'email.complained': {
    data: z.object({ ...email, complaint_type: textOrNull, suppression_id: suppressionId }),
    subscribable: true,
  },
  'email.suppressed': { data: z.object({ ...email, suppression_id: text }), subscribable: true },
  'email_suppression.created': { data: EmailSuppression, subscribable: true },
  'email_suppression.deleted': { data: EmailSuppression, subscribable: true },
  'email_suppression.updated': { data: EmailSuppression, subscribable: true },
} as const satisfies EventFamily<'email.' | 'email_suppression.'>;
