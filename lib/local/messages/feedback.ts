import { randomUUID } from 'node:crypto';
import * as z from 'zod';

import { account, region } from '../aws-json.ts';
import type { CapturedMessage } from './outbox.ts';

/**
 * The report about a captured mail: `bounce` is permanent, `transient_bounce` is caused by a full mailbox, `complaint` by
 * the reader.
 */
export const NewFeedback = z.strictObject({
  /** The id of a captured mail, as in `GET messages`. */
  message_id: z.string().min(1),
  kind: z.enum(['bounce', 'transient_bounce', 'complaint']),
});

export type FeedbackKind = z.output<typeof NewFeedback>['kind'];

const bounce = (bounceType: string, bounceSubType: string, status: string) => ({
  eventType: 'Bounce',
  bounce: { bounceType, bounceSubType, bouncedRecipients: [{ action: 'failed', status }] },
});

const REPORTS: Readonly<Record<FeedbackKind, { type: string; detail: object }>> = {
  bounce: { type: 'Email Bounced', detail: bounce('Permanent', 'NoEmail', '5.1.1') },
  transient_bounce: { type: 'Email Bounced', detail: bounce('Transient', 'MailboxFull', '4.2.2') },
  complaint: {
    type: 'Email Complaint Received',
    detail: { eventType: 'Complaint', complaint: { complaintFeedbackType: 'abuse', complainedRecipients: [] } },
  },
};

/**
 * The event with which SES reports a bounce or a complaint, in the form in which EventBridge sends it to a queue
 * (https://docs.aws.amazon.com/ses/latest/dg/monitoring-eventbridge.html).
 */
export function feedbackEvent({ to, created_at, sending_id, tags }: CapturedMessage, kind: FeedbackKind): object {
  const { type, detail } = REPORTS[kind];
  const mail = {
    timestamp: created_at,
    messageId: sending_id,
    destination: [to],
    tags: Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, [value]])),
  };
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': type,
    source: 'aws.ses',
    account,
    time: created_at,
    region,
    resources: [],
    detail: { ...detail, mail },
  };
}
