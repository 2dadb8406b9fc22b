import * as z from 'zod';

import { normalizeEmail, phoneNumber } from '../../../kernel/address.ts';
import type { MessageRecord } from '../../../kernel/messages/entity.ts';
import { listSchema } from '../../../kernel/pagination.ts';

export const ListMessages = z.object({
  to: z
    .string()
    .max(300)
    .refine(
      (text) => normalizeEmail(text) !== undefined || phoneNumber(text) !== undefined,
      'is neither an email address nor a phone number with its country code',
    )
    .describe('The email address, in any case, or the phone number in E.164 form.'),
  limit: z.coerce.number().int().min(1).max(100).default(10),
  after: z
    .string()
    .regex(/^message_[0-9A-Za-z]{1,64}$/)
    .optional()
    .describe('The id of the last message of the page before.'),
});

export const Message = z
  .object({
    object: z.literal('message'),
    id: z.string(),
    channel: z.enum(['email', 'sms']),
    template: z.string().describe('The name of its template, such as `magic-auth`.'),
    state: z
      .enum(['queued', 'sent', 'failed'])
      .describe('The state: `sent` means that SES or SNS accepted it, which does not mean that it arrived.'),
    failure: z
      .string()
      .nullable()
      .describe(
        'The reason why it was not sent: `rejected`, `suppressed`, `limited` (too many of its kind to this recipient in a day), `expired`, `environment_deleted`, `unreadable` or `unrenderable`.',
      ),
    attempts: z.number().int().describe('The number of attempts to send it.'),
    bounce: z
      .enum(['permanent', 'transient', 'undetermined'])
      .nullable()
      .describe('The type of its bounce; null while SES reports none.'),
    complained: z.boolean().describe('True if the recipient reported it as spam.'),
    useful_until: z.string().describe('The time from which it is no longer sent.'),
    created_at: z.string(),
    updated_at: z.string().describe('The time of its last change of state.'),
  })
  .meta({ id: 'Message' });

export const MessageList = listSchema(Message).meta({ id: 'MessageList' });

/** A message without its recipient and its content. */
export const presentMessage = (record: MessageRecord): z.output<typeof Message> => ({
  object: 'message',
  id: record.id,
  channel: record.channel,
  template: record.template,
  state: record.state,
  failure: record.failure ?? null,
  attempts: record.attempts,
  bounce: record.bounce ?? null,
  complained: record.complained === true,
  useful_until: new Date(record.usefulUntil * 1_000).toISOString(),
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});
