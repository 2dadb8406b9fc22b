import { systemActor } from '../../../kernel/authentication/caller.ts';
import { clock } from '../../../kernel/clock.ts';
import { findSubject } from '../../../kernel/events/subject.ts';
import type { BusDetail } from '../../../kernel/events/detail.ts';
import { log } from '../../../kernel/log.ts';
import { count } from '../../../kernel/metrics.ts';
import { enqueue } from '../../../kernel/queues.ts';
import { Unit } from '../../../kernel/storage/unit.ts';
import { disableEndpoint } from '../endpoint/disable.ts';
import { type HealthRecord, noteFailure, noteRecovery } from '../health/entity.ts';
import { shouldDisable } from '../health/rules.ts';
import { createDelivery, type DeliveryRecord, reviseDelivery } from './entity.ts';
import { type Attempted, messageOf, orderOf } from './order.ts';
import {
  type DropReason,
  isGone,
  isSuccess,
  type Outcome,
  QUEUE_DELAY_MS,
  type Wait,
  waitAfter,
  type WaitReason,
  withAttempt,
  withWait,
} from './rules.ts';

/** A delivery as it was when its message was received. */
export interface Progress {
  environmentId: string;
  endpointId: string;
  eventId: string;
  /** The delivery; absent before its first attempt has ended. */
  delivery: DeliveryRecord | undefined;
  detail: BusDetail | undefined;
}

/** Time in ms that the scheduled worker leaves to a message in the queue. After it, the message counts as lost. */
export const LEASE_MS = 5 * 60_000;

type Changes = Parameters<typeof createDelivery>[1];

/**
 * Writes a delivery's next state. Returns undefined if the row has changed since, so that another worker has done the work.
 */
async function write(progress: Progress, changes: Partial<Changes>): Promise<DeliveryRecord | undefined> {
  const { environmentId, endpointId, eventId, delivery, detail } = progress;
  const change =
    delivery === undefined
      ? createDelivery(
          { environmentId, endpointId, eventId, eventName: detail?.event ?? 'unknown', ...readSubjectId(detail) },
          { state: 'pending', attempts: [], attemptCount: 0, failures: 0, ...changes },
        )
      : reviseDelivery(delivery, changes);
  const unit = new Unit(environmentId, systemActor);
  unit.stage(change.write);
  const outcome = await unit.commit();
  return outcome.kind === 'committed' ? change.record : undefined;
}

/** The id of the user or organization that an event concerns; an address is not stored with a delivery. */
function readSubjectId(detail: BusDetail | undefined): { subjectId?: string } {
  if (detail === undefined) return {};
  const { environment_id: environmentId, event: name, data, organization_id: organizationId } = detail;
  const subject = findSubject({ environmentId, name, data, organizationId });
  return subject === undefined || subject.kind === 'address' ? {} : { subjectId: subject.key };
}

/** Records that a delivery will not be attempted again. Without a row or an endpoint there is nothing to record. */
export async function recordDrop(progress: Progress, reason: DropReason): Promise<void> {
  if (progress.delivery === undefined && (reason === 'endpoint_deleted' || progress.detail === undefined)) return;
  const waits =
    reason === 'endpoint_disabled' ? { waits: addWait(progress, 'disabled', clock.timestamp(), undefined) } : {};
  await write(progress, { state: 'dropped', dropReason: reason, nextAttemptAt: undefined, dueAt: undefined, ...waits });
  count({ deliveriesDropped: { value: 1, unit: 'Count' } });
}

/** The waits of a delivery with one more before its next attempt. */
const addWait = ({ delivery }: Progress, reason: WaitReason, from: string, until: string | undefined): Wait[] =>
  withWait(delivery?.waits ?? [], { reason, attempt: (delivery?.attemptCount ?? 0) + 1, from, until });

/** Records that a delivery waits although it was not attempted. */
export async function recordWait(progress: Progress, until: number, reason: WaitReason): Promise<void> {
  const at = new Date(until).toISOString();
  const waits = addWait(progress, reason, clock.timestamp(), at);
  await write(progress, { state: 'pending', nextAttemptAt: at, dueAt: at, waits });
}

/** Writes the figures of an attempt that was made. */
export function countAttempt(outcome: Outcome): void {
  const done = isSuccess(outcome);
  count({
    deliveriesSucceeded: { value: done ? 1 : 0, unit: 'Count' },
    deliveriesFailed: { value: done ? 0 : 1, unit: 'Count' },
    deliveryDuration: { value: outcome.durationMs, unit: 'Milliseconds' },
  });
}

/**
 * Records an attempt and its result: done, another attempt, or failed. It may be repeated after an error of the table.
 * @param attempted gets a mark when the endpoint's row counts its failure, so that a repetition does not count it again
 */
export async function recordAttempt(
  progress: Progress,
  health: HealthRecord | undefined,
  attempted: Attempted,
): Promise<void> {
  const { environmentId, endpointId, delivery } = progress;
  const { startedAt, outcome } = attempted;
  const attemptCount = delivery?.attemptCount ?? 0;
  const attempts = withAttempt(delivery?.attempts ?? [], attemptCount, startedAt, outcome);
  const changes = { attempts, attemptCount: attemptCount + 1 };
  if (!isSuccess(outcome)) return recordFailure(progress, health, attempted, changes);
  await write(progress, { ...changes, state: 'succeeded', nextAttemptAt: undefined, dueAt: undefined });
  if ((health?.failures ?? 0) > 0) await noteRecovery(environmentId, endpointId);
}

async function recordFailure(
  progress: Progress,
  health: HealthRecord | undefined,
  attempted: Attempted,
  changes: Pick<Changes, 'attempts' | 'attemptCount'>,
): Promise<void> {
  const { environmentId, endpointId, delivery } = progress;
  const { outcome } = attempted;
  const now = clock.now();
  // The endpoint's row is written before the delivery, because the scheduled worker must find the endpoint as soon as the delivery waits.
  const noted =
    attempted.isNoted && health !== undefined ? health : await noteFailure(environmentId, endpointId, health);
  attempted.isNoted = true;
  const failures = (delivery?.failures ?? 0) + 1;
  const wait = isGone(outcome) ? undefined : waitAfter(failures, outcome, Math.random(), now);
  if (wait === undefined) {
    const ended = { state: 'failed' as const, nextAttemptAt: undefined, dueAt: undefined };
    if ((await write(progress, { ...changes, failures, ...ended })) !== undefined) {
      count({ deliveriesDead: { value: 1, unit: 'Count' } });
      log.warn('a delivery has failed permanently', { endpoint_id: endpointId, status: outcome.status });
    }
  } else {
    await recordRetry(progress, { ...changes, failures }, now, wait);
  }
  if (isGone(outcome)) await disableEndpoint(environmentId, endpointId, 'gone');
  else if (shouldDisable(noted, now)) await disableEndpoint(environmentId, endpointId, 'failing');
}

async function recordRetry(
  progress: Progress,
  changes: Pick<Changes, 'attempts' | 'attemptCount' | 'failures'>,
  now: number,
  { ms, reason }: { ms: number; reason: WaitReason },
): Promise<void> {
  const isShort = ms <= QUEUE_DELAY_MS;
  const nextAttemptAt = new Date(now + ms).toISOString();
  const dueAt = isShort ? new Date(now + ms + LEASE_MS).toISOString() : nextAttemptAt;
  const wait = { reason, attempt: changes.attemptCount + 1, from: new Date(now).toISOString(), until: nextAttemptAt };
  const waits = withWait(progress.delivery?.waits ?? [], wait);
  const record = await write(progress, { ...changes, waits, state: 'pending', nextAttemptAt, dueAt });
  if (isShort && record !== undefined) {
    await enqueue('deliveries', [messageOf(orderOf(record), Math.ceil(ms / 1_000))]);
  }
}
