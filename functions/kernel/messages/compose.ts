import type * as z from 'zod';

import { DAY_SECONDS } from '../durations.ts';
import { clock } from '../clock.ts';
import { newId } from '../ids.ts';
import { sha256Hex } from '../keys/hash.ts';
import { envelopes } from '../keys/shared.ts';
import { dueOn } from '../storage/due.ts';
import { inPlaceOfExpired } from '../storage/expiry.ts';
import type { Write } from '../storage/write.ts';
import { emailAddress, phoneNumber } from '../address.ts';
import { messages, recipientHash } from './entity.ts';
import type { Template } from './template.ts';
import { keyPurpose } from '../keys/key-wrapper.ts';

/** A message to be sent after its transaction has committed. */
export interface PendingMessage<Values extends z.ZodType> {
  environmentId: string;
  channel: 'email' | 'sms';
  /** An email address, or a phone number in E.164 form. */
  to: string;
  template: Template<string, Values>;
  values: z.input<Values>;
  /** The reader's language (BCP 47) if known; otherwise the environment's, otherwise English. */
  locale?: string | undefined;
  /** The owner that the row is erased with, made by `ownerKey`. */
  owner?: string | undefined;
  /** Time in seconds for which the message is useful, such as the lifetime of a code; a day by default, at most seven. */
  usefulSeconds?: number | undefined;
  /**
   * An id that makes the write fail if a message with the same id was composed in the last seven days, or sent as a mail in
   * the last 30. It is for workers that may run twice: stage the message in a separate unit of work, and treat a conflict as
   * done. If the message replaces an expired row that DynamoDB has not deleted yet, the write is not an insert, so the relay
   * ignores it and the scheduled worker sends it after a quarter of an hour.
   */
  deduplicationId?: string | undefined;
}

const KEPT_SECONDS = 7 * DAY_SECONDS;
/** Time in ms for the queue's own attempts (five, three minutes apart) before the scheduled worker sends the message. */
export const QUEUE_MS = 15 * 60_000;

/** The scope of envelopes of messages: one data key for all messages of an environment, replaced each minute. */
export const messageScope = (environmentId: string) => ({ environmentId, purpose: keyPurpose('message') });

/** The content of a message's envelope, as JSON. */
export interface SealedMessage {
  to: string;
  locale?: string | undefined;
  values: unknown;
}

/**
 * The write of a message's row. Address and values are encrypted, since a message may contain a code or a link with a
 * token: one KMS call at most, and none while the environment's data key is cached.
 * @throws TypeError for an address that cannot receive messages, and for a template without this channel: callers check
 *   their input before. ZodError for values that do not match the template. KeyError if KMS does not respond.
 */
export async function composeMessage<Values extends z.ZodType>(pending: PendingMessage<Values>): Promise<Write> {
  const { environmentId, channel, template, owner, locale, deduplicationId } = pending;
  const to = channel === 'email' ? emailAddress(pending.to) : phoneNumber(pending.to);
  if (to === undefined) throw new TypeError(`Nothing can be sent by ${channel} to this address`);
  if (template[channel] === undefined) throw new TypeError(`The template ${template.name} is not sent by ${channel}`);
  // The input is stored, and parsed again when it is sent, because the parsed values need not be JSON.
  template.values.parse(pending.values);
  const id = deduplicationId === undefined ? newId('message') : `message_${sha256Hex(deduplicationId)}`;
  const content: SealedMessage = { to, locale, values: pending.values };
  const { write } = messages.create({
    environmentId,
    id,
    owner,
    channel,
    template: template.name,
    recipient: recipientHash(environmentId, to),
    sealed: await envelopes().seal(messageScope(environmentId), id, JSON.stringify(content)),
    state: 'queued',
    attempts: 0,
    usefulUntil: clock.seconds() + Math.min(pending.usefulSeconds ?? DAY_SECONDS, KEPT_SECONDS),
    expiresAt: clock.seconds() + KEPT_SECONDS,
    ...dueOn(id, clock.now() + QUEUE_MS),
  });
  return inPlaceOfExpired(write);
}
