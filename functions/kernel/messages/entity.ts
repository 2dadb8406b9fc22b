import { clock } from '../clock.ts';
import { collection } from '../storage/collection.ts';
import { entity, type RecordOf } from '../storage/entity.ts';
import { dueAttributes, dueIndex, findDue } from '../storage/due.ts';
import type { Reading } from '../storage/range.ts';
import {
  expiringAttributes,
  model,
  perhapsOwnedAttributes,
  ownedIndex,
  partition,
  recordAttributes,
  recordKey,
  sortedBy,
} from '../storage/record.ts';
import { normalizeEmail } from '../address.ts';
import { sha256Hex } from '../keys/hash.ts';

/** The ElectroDB entity name by which the relay recognizes rows of messages in the table's stream. */
export const MESSAGE_ROW = 'message';

/**
 * A mail or SMS. Its row is written in the transaction of the change that causes it, put on the queue by the relay, and
 * sent by a worker. It is kept for seven days, without its content once that is no longer needed; a mail that was sent is
 * kept for 30 days, since complaints arrive late.
 */
const MessageEntity = entity({
  model: model(MESSAGE_ROW),
  attributes: {
    ...recordAttributes,
    ...perhapsOwnedAttributes,
    ...expiringAttributes,
    ...dueAttributes,
    channel: { type: ['email', 'sms'] as const, required: true },
    template: { type: 'string', required: true },
    /** The address, the language and the values, encrypted for this record only; removed when nothing will be sent. */
    sealed: { type: 'any' },
    state: { type: ['queued', 'sent', 'failed'] as const, required: true },
    /** The time in seconds since the epoch from which the message is useless and no longer sent. */
    usefulUntil: { type: 'number', required: true },
    attempts: { type: 'number', required: true },
    /** The time until which a worker has claimed the message, in milliseconds since the epoch. */
    claimedUntil: { type: 'number' },
    /**
     * The hash of the address or the phone number, made by `recipientHash`. A report of SES about another address is not about
     * this mail. Older SMS have none.
     */
    recipient: { type: 'string' },
    /** The report of SES about the mail: the type of its bounce, and whether the recipient complained. */
    bounce: { type: ['permanent', 'transient', 'undetermined'] as const },
    complained: { type: 'boolean' },
    /** The message id of SES or SNS. */
    providerId: { type: 'string' },
    /** The reason of a final failure: a code, never a text that could contain the address. */
    failure: { type: 'string' },
  },
  indexes: {
    primary: recordKey('message'),
    owned: ownedIndex,
    /** Messages that the queue should have sent by now: one Query for each shard. */
    due: dueIndex('message'),
    /**
     * The messages to a recipient, by time: one Query for each page. It adds a write unit per KB to each of the three writes of
     * a message.
     */
    byRecipient: {
      index: 'gsi1',
      condition: ({ recipient }: { recipient?: unknown }) => Boolean(recipient),
      pk: partition('gsi1pk', 'message-to', 'recipient'),
      sk: sortedBy('gsi1sk', 'createdAt', 'id'),
    },
  },
});

export type MessageRecord = RecordOf<typeof MessageEntity>;
export const messages = collection(MessageEntity, 'internal');

/** Overdue messages that were not sent, the oldest first, by one Query for each shard. */
export const findUnsent = (limit: number): Promise<MessageRecord[]> => findDue(messages.entity(), limit);

/**
 * The messages to a recipient, the newest first, by one Query (eventually consistent). Expired rows are left out.
 * @param recipient the hash made by `recipientHash`
 * @param after the message after which the page begins
 */
export async function listMessagesTo(
  environmentId: string,
  recipient: string,
  limit: number,
  after?: MessageRecord,
): Promise<Reading<MessageRecord>> {
  const all = messages.entity().query.byRecipient({ environmentId, recipient });
  const query = after === undefined ? all : all.lt({ createdAt: after.createdAt, id: after.id });
  const { records, ...rest } = await messages.select('byRecipient', query).toPage({ scan: 'desc', limit });
  return { records: records.filter(({ expiresAt }) => (expiresAt ?? 0) > clock.seconds()), ...rest };
}

/**
 * The form in which a row stores the recipient of a message without revealing it: the SHA-256 of the environment and the
 * normalized address or phone number, in hexadecimal. Addresses that differ only in case have the same hash.
 */
export const recipientHash = (environmentId: string, address: string): string =>
  sha256Hex(JSON.stringify([environmentId, normalizeEmail(address) ?? address.toLowerCase()]));
