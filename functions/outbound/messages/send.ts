import { systemActor } from '../../kernel/authentication/caller.ts';
import { clock } from '../../kernel/clock.ts';
import { awaitAll } from '../../kernel/concurrency.ts';
import { SealedValueError } from '../../kernel/keys/errors.ts';
import { envelopes } from '../../kernel/keys/shared.ts';
import { log } from '../../kernel/log.ts';
import { countMessage } from '../../kernel/messages/allowance.ts';
import { messageScope, QUEUE_MS, type SealedMessage } from '../../kernel/messages/compose.ts';
import { type MessageRecord, messages } from '../../kernel/messages/entity.ts';
import { findTemplate } from '../../kernel/messages/templates/index.ts';
import { count } from '../../kernel/metrics.ts';
import { applyWork } from '../../kernel/storage/background.ts';
import { type EnvironmentRecord, environments } from '../../kernel/storage/environment.ts';
import { Unit } from '../../kernel/storage/unit.ts';
import { isFinal, isForOperator, sendEmail, sendSms } from './channels.ts';
import { MessagePostponed, presentEmail } from './feedback/record.ts';
import { TAGS } from './feedback/report.ts';
import { type RenderedMessage, renderMessage } from './render.ts';
import { findAddress, isSuppressedFor } from './suppression/entity.ts';

/** Decrypts a message's content. @throws KeyError */
async function openMessage({ environmentId, id, sealed }: MessageRecord): Promise<SealedMessage> {
  const text = await envelopes().openText(messageScope(environmentId), id, sealed as Uint8Array);
  return JSON.parse(text) as SealedMessage;
}

/**
 * Time in ms of a worker's claim: longer than an attempt can take, and shorter than the visibility time-out of the queue,
 * so that the claim of a crashed worker ends first.
 */
const CLAIM_MS = 60_000;
/** Number of intervals until the longest: the scheduled worker retries after 15, 30, 45 minutes and then every hour. */
const LONGEST_WAIT = 4;
const TRIES_TO_RECORD = 3;

/** Time in seconds for which the row of a mail is kept after it was sent, since complaints arrive days or weeks later. */
const KEPT_SENT_SECONDS = 30 * 86_400;

type Failure =
  | 'rejected'
  | 'suppressed'
  | 'limited'
  | 'expired'
  | 'environment_deleted'
  | 'unreadable'
  | 'unrenderable';

/** Failures that need no operator: of an address that SES rejects, that is suppressed or has got too many, or a deleted environment. */
const OF_THE_MESSAGE: ReadonlySet<Failure> = new Set(['rejected', 'suppressed', 'limited', 'environment_deleted']);

/**
 * Sends a queued message once. It is claimed by a conditional write before and marked by another one after it was sent, so
 * a second delivery of the same queue item, or a concurrent scheduled worker, finds it claimed or sent. It is sent twice
 * only if the process crashes, or the response of SES or SNS is lost, after they accepted it and before the second write. A
 * mail to a suppressed address is not sent, and an event reports the suppression. It reads three rows, counts the message if its cause is limited, and writes the
 * message's row twice, with one KMS call if the environment's data key is not cached.
 * @throws MessagePostponed if it is to be retried
 */
export async function sendMessage(environmentId: string, id: string): Promise<void> {
  const [found, environment] = await awaitAll([
    messages.get(environmentId, id),
    environments.get(environmentId, environmentId),
  ]);
  if (found === undefined || found.state !== 'queued') return;
  if ((found.claimedUntil ?? 0) > clock.now()) throw new MessagePostponed('claimed by another worker');
  const claimed = await claim(found);
  if (found.usefulUntil <= clock.seconds()) return giveUp(claimed, 'expired');
  if (environment === undefined || environment.deletedAt !== undefined) return giveUp(claimed, 'environment_deleted');
  const [rendered, address, isAllowed] = await awaitAll([
    prepare(claimed, environment),
    claimed.channel === 'sms' || claimed.recipient === undefined
      ? undefined
      : findAddress(environmentId, claimed.recipient),
    countFirst(claimed, environment),
  ]);
  if (typeof rendered === 'string') return giveUp(claimed, rendered);
  if (!isAllowed) return giveUp(claimed, 'limited');
  if (address !== undefined && isSuppressedFor(address, findTemplate(claimed.template)?.cause)) {
    return giveUp(claimed, 'suppressed', address.suppressionId, (unit) =>
      unit.emit('email.suppressed', {
        ...presentEmail(claimed, rendered.to),
        suppression_id: address.suppressionId,
      }),
    );
  }
  let providerId: string | undefined;
  try {
    providerId = await hand(rendered, claimed);
  } catch (error) {
    if (isFinal(error)) return giveUp(claimed, 'rejected', readErrorName(error));
    if (isForOperator(error)) countUndelivered(claimed);
    throw new MessagePostponed(readErrorName(error));
  }
  const kept = claimed.channel === 'email' ? { expiresAt: clock.seconds() + KEPT_SENT_SECONDS } : {};
  await settle(claimed, { state: 'sent', providerId, ...kept });
  log.info('message sent', { ...labelsOf(claimed), domain: readDomain(rendered) });
  count({ messages_sent: { value: 1, unit: 'Count' } }, { channel: claimed.channel });
}

async function claim(found: MessageRecord): Promise<MessageRecord> {
  const attempts = found.attempts + 1;
  const { record, write } = messages.revise(found, {
    attempts,
    claimedUntil: clock.now() + CLAIM_MS,
    dueAt: new Date(clock.now() + QUEUE_MS * Math.min(attempts, LONGEST_WAIT)).toISOString(),
  });
  const unit = new Unit(found.environmentId, systemActor);
  unit.stage(write);
  if ((await unit.commit()).kind !== 'committed') throw new MessagePostponed('claimed by another worker');
  return record;
}

/** Counts a message by its recipient and cause, at its first attempt. @returns false if too many were sent */
async function countFirst(
  { environmentId, attempts, template: name, recipient, owner }: MessageRecord,
  { settings }: EnvironmentRecord,
): Promise<boolean> {
  const template = findTemplate(name);
  if (attempts > 1 || template === undefined || recipient === undefined) return true;
  const { cause } = template;
  return (await countMessage(environmentId, { cause, template: name, recipient, owner }, settings)).allowed;
}

async function prepare(record: MessageRecord, environment: EnvironmentRecord): Promise<RenderedMessage | Failure> {
  const template = findTemplate(record.template);
  // A newer release wrote this message while a deployment is in progress.
  if (template === undefined) throw new MessagePostponed('unknown template');
  let opened: SealedMessage;
  try {
    opened = await openMessage(record);
  } catch (error) {
    if (error instanceof SealedValueError) return 'unreadable';
    throw new MessagePostponed(readErrorName(error));
  }
  try {
    return await renderMessage(record.channel, template, opened, environment);
  } catch {
    return 'unrenderable';
  }
}

const hand = (rendered: RenderedMessage, { environmentId, id }: MessageRecord): Promise<string | undefined> =>
  rendered.channel === 'email'
    ? sendEmail({ ...rendered, tags: { [TAGS.environment]: environmentId, [TAGS.message]: id } })
    : sendSms(rendered.to, rendered.text);

async function giveUp(
  claimed: MessageRecord,
  failure: Failure,
  reason?: string,
  onFailure?: (unit: Unit) => void,
): Promise<void> {
  await settle(claimed, { state: 'failed', failure }, onFailure);
  log.warn('message given up', { ...labelsOf(claimed), failure, reason });
  count({ messages_failed: { value: 1, unit: 'Count' } }, { channel: claimed.channel });
  if (!OF_THE_MESSAGE.has(failure)) countUndelivered(claimed);
}

/** Triggers the alarm `mail-undelivered`, because a message for which a user waits was not sent. */
const countUndelivered = ({ channel }: MessageRecord): void =>
  count({ messages_undelivered: { value: 1, unit: 'Count' } }, { channel });

/**
 * Records the final state of a message and removes its content. Failed writes are retried at once; a claim that another
 * worker has taken over is left to that worker.
 */
async function settle(
  claimed: MessageRecord,
  end: { state: 'sent' | 'failed'; providerId?: string | undefined; failure?: Failure; expiresAt?: number },
  onFailure: (unit: Unit) => void = () => undefined,
): Promise<void> {
  const changes = { sealed: undefined, claimedUntil: undefined, dueAt: undefined, dueShard: undefined };
  let isRepeated = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await applyWork(claimed.environmentId, systemActor, async (unit) => {
        const current = isRepeated ? await messages.get(claimed.environmentId, claimed.id) : claimed;
        isRepeated = true;
        // The row was erased with its owner, or the claim has expired and another worker has the message.
        if (current?.claimedUntil === undefined || current.claimedUntil !== claimed.claimedUntil) return;
        unit.stage(messages.revise(current, { ...changes, ...end }).write);
        onFailure(unit);
      });
      return;
    } catch (error) {
      if (attempt === TRIES_TO_RECORD) throw error;
    }
  }
}

const labelsOf = ({ id, channel, template, attempts }: MessageRecord) => ({
  message_row: id,
  channel,
  template,
  attempts,
});

/** The only part of an address that may be logged. */
const readDomain = (rendered: RenderedMessage): string | undefined =>
  rendered.channel === 'email' ? rendered.to.slice(rendered.to.lastIndexOf('@') + 1) : undefined;

const readErrorName = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');
