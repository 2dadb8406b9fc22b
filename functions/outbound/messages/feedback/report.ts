import * as z from 'zod';

/** The tags with which SES identifies a mail. SES accepts ASCII letters, digits, `_` and `-` in names and values. */
export const TAGS = { environment: 'gatehouse_environment', message: 'gatehouse_message' } as const;

const text = z.string().max(2_048);
const tag = z.tuple([text]).rest(text);

/**
 * The members that are read from the EventBridge event with which SES reports a bounce or a complaint
 * (https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html).
 */
const Event = z.object({
  source: z.literal('aws.ses'),
  detail: z.object({
    mail: z.object({
      messageId: text,
      destination: z.array(text).min(1),
      tags: z.object({ [TAGS.environment]: tag, [TAGS.message]: tag }),
    }),
    bounce: z
      .object({
        bounceType: z.enum(['Permanent', 'Transient', 'Undetermined']).catch('Undetermined'),
        bounceSubType: text.nullish(),
        bouncedRecipients: z.array(z.object({ status: text.nullish() })).default([]),
      })
      .optional(),
    complaint: z.object({ complaintFeedbackType: text.nullish(), complaintSubType: text.nullish() }).optional(),
  }),
});

/** A report of SES about an accepted mail. */
export interface Report {
  environmentId: string;
  /** The id of the message's row. */
  id: string;
  /** The message id of SES. */
  providerId: string;
  /** The recipient's address; after forwarding, another address may have rejected the mail. */
  email: string;
  outcome: Bounce | Complaint;
}

export interface Bounce {
  kind: 'bounce';
  type: 'permanent' | 'transient' | 'undetermined';
  subType: string | undefined;
  /** The enhanced status code (RFC 3463) from the host that rejected the mail. */
  status: string | undefined;
}

export interface Complaint {
  kind: 'complaint';
  /** The feedback type of the report (RFC 5965 section 3.1), such as `abuse`. */
  type: string | undefined;
}

/** The status as RFC 3463 section 2 defines it. The text of the host next to it is not stored. */
const STATUS = /^[245]\.\d{1,3}\.\d{1,3}$/;
/** Report types of SES; other values are not stored. */
const KIND = /^[A-Za-z][A-Za-z-]{0,63}$/;

const matching = (pattern: RegExp, value: string | null | undefined): string | undefined =>
  typeof value === 'string' && pattern.test(value) ? value : undefined;

/**
 * Parses a report of SES.
 * @throws ZodError if it is invalid: the queue moves it to its dead letters, which have an alarm
 */
export function readReport(event: unknown): Report {
  const { mail, bounce, complaint } = Event.parse(event).detail;
  const [email = ''] = mail.destination;
  const shared = {
    environmentId: mail.tags[TAGS.environment][0],
    id: mail.tags[TAGS.message][0],
    providerId: mail.messageId,
    email,
  };
  if (bounce !== undefined) {
    const type = bounce.bounceType.toLowerCase() as Bounce['type'];
    const status = matching(STATUS, bounce.bouncedRecipients[0]?.status);
    return { ...shared, outcome: { kind: 'bounce', type, subType: matching(KIND, bounce.bounceSubType), status } };
  }
  if (complaint === undefined) throw new TypeError('SES reports neither a bounce nor a complaint');
  const type = matching(KIND, complaint.complaintFeedbackType ?? complaint.complaintSubType);
  return { ...shared, outcome: { kind: 'complaint', type } };
}
