import { collection } from '../storage/collection.ts';
import { entity, type RecordOf } from '../storage/entity.ts';
import { dueAttributes, dueIndex, findDue } from '../storage/due.ts';
import {
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../storage/record.ts';

/** The ElectroDB entity name by which the relay knows rows of messages in the table's stream. */
export const MESSAGE_ROW = 'message';

/**
 * A mail or SMS: written in the transaction that makes it true, put on the queue by the relay, sent by a worker. Kept
 * seven days, without its content once that has served; a mail that was sent 30 days, since complaints come late.
 */
const MessageEntity = entity({
  model: model(MESSAGE_ROW),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...expiringAttributes,
    ...dueAttributes,
    channel: { type: ['email', 'sms'] as const, required: true },
    template: { type: 'string', required: true },
    /** The address, the language and the values, in an envelope of this very record; gone when nothing will be sent. */
    sealed: { type: 'any' },
    state: { type: ['queued', 'sent', 'failed'] as const, required: true },
    /** Seconds since the epoch after which the message is of no use and is not sent any more. */
    usefulUntil: { type: 'number', required: true },
    attempts: { type: 'number', required: true },
    /** Until when a worker has it, in milliseconds since the epoch. */
    claimedUntil: { type: 'number' },
    /** The hash of a mail's address, by `recipientHash`: what SES reports of another address is not about this mail. */
    recipient: { type: 'string' },
    /** What SES reported of the mail: the type of its bounce, and whether the recipient complained. */
    bounce: { type: ['permanent', 'transient', 'undetermined'] as const },
    complained: { type: 'boolean' },
    /** The id under which SES or SNS took it. */
    providerId: { type: 'string' },
    /** Why it was given up: a code, never a text that could name the address. */
    failure: { type: 'string' },
  },
  indexes: {
    primary: recordKey('message'),
    owned: ownedIndex,
    /** Messages that the queue should have sent by now: one Query a shard. */
    due: dueIndex('message'),
  },
});

export type MessageRecord = RecordOf<typeof MessageEntity>;
export const messages = collection(MessageEntity);

/** Messages that are still unsent although they were due: one Query a shard, the oldest first. */
export const findUnsent = (limit: number): Promise<MessageRecord[]> => findDue(messages.entity(), limit);
