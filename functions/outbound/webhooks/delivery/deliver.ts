import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { makeDetail } from '../../../kernel/events/detail.ts';
import { findEvent } from '../../../kernel/events/entity.ts';
import type { BusDetail } from '../../../kernel/events/detail.ts';
import { addLogContext, log } from '../../../kernel/log.ts';
import { count } from '../../../kernel/metrics.ts';
import { enqueue } from '../../../kernel/queues.ts';
import { isTransient } from '../../../kernel/storage/faults.ts';
import type { EndpointRecord } from '../endpoint/entity.ts';
import { loadEndpoints } from '../endpoint/set.ts';
import { findHealth, type HealthRecord, noteWaiting, passGate } from '../health/entity.ts';
import { computeAdmission, isOpen } from '../health/rules.ts';
import { attemptDelivery } from './attempt.ts';
import { makeEventId, findDelivery } from './entity.ts';
import { type DeliveryOrder, messageOf } from './order.ts';
import { countAttempt, type Progress, recordAttempt, recordDrop, recordWait } from './record.ts';
import type { DropReason, WaitReason } from './rules.ts';

/**
 * Number of times that a job is postponed by this code. After that the queue delivers it again after its visibility
 * time-out, and finally moves it to its dead letters.
 */
const PUT_BACKS = 30;
/** Time in ms over which waiting deliveries are spread after an endpoint becomes available again. */
const SPREAD_MS = 30_000;

/**
 * Attempts a delivery, which is the work for one message of the deliveries queue. A delivery that succeeds at once costs
 * two serial round trips in addition to the POST: parallel reads of the version of the endpoints, delivery and health (and of the event if the
 * message does not contain it), and one write. If only that write fails, the result of the POST is a part of the postponed message.
 */
export async function deliver(order: DeliveryOrder): Promise<void> {
  addLogContext({ environment_id: order.environment_id, delivery_id: order.delivery_id });
  const followed = { ...order };
  try {
    await follow(followed);
  } catch (error) {
    const putBack = order.put_back ?? 0;
    if (!isTransient(error) || putBack >= PUT_BACKS) throw error;
    // If it were left to the queue, the message would return only after its visibility time-out, minutes later.
    log.warn('a delivery waits for a part of the service', { error });
    await enqueue('deliveries', [messageOf({ ...followed, put_back: putBack + 1 }, Math.min(60, 2 ** putBack))]);
  }
}

/** @param order gets the attempt as soon as it was made */
async function follow(order: DeliveryOrder): Promise<void> {
  const { environment_id: environmentId, endpoint_id: endpointId, delivery_id: id } = order;
  const [all, delivery, health, detail] = await awaitAll([
    loadEndpoints(environmentId),
    findDelivery(environmentId, endpointId, id),
    findHealth(environmentId, endpointId),
    order.detail ?? eventDetail(environmentId, makeEventId(id)),
  ]);
  const endpoint = all.find((one) => one.id === endpointId);
  if ((delivery?.version ?? 0) !== order.version) {
    log.debug('an order is void: its delivery has moved on');
    return;
  }
  const progress: Progress = { environmentId, endpointId, eventId: makeEventId(id), delivery, detail };
  // The endpoint may have been disabled since the attempt.
  if (order.attempted !== undefined && endpoint !== undefined) return recordAttempt(progress, health, order.attempted);
  const reason = dropReason(endpoint, detail);
  if (reason !== undefined || endpoint === undefined || detail === undefined) {
    return recordDrop(progress, reason ?? 'endpoint_deleted');
  }
  const gate = order.is_requested === true && isOpen(health) ? undefined : await passPacingGate(health);
  if (gate !== undefined) return postpone(progress, gate, isOpen(health) ? 'circuit' : 'slow_endpoint');
  const startedAt = clock.now();
  const outcome = await attemptDelivery(endpoint, detail);
  countAttempt(outcome);
  order.attempted = { startedAt, outcome, isNoted: false };
  await recordAttempt(progress, health, order.attempted);
}

async function eventDetail(environmentId: string, eventId: string): Promise<BusDetail | undefined> {
  const event = await findEvent(environmentId, eventId);
  return event === undefined || (event.expiresAt ?? 0) <= clock.seconds() ? undefined : makeDetail(event);
}

function dropReason(endpoint: EndpointRecord | undefined, detail: BusDetail | undefined): DropReason | undefined {
  if (endpoint === undefined) return 'endpoint_deleted';
  if (endpoint.status === 'disabled') return 'endpoint_disabled';
  return detail === undefined ? 'event_gone' : undefined;
}

/** The time in ms until which an attempt must wait; undefined if it may start now. */
async function passPacingGate(health: HealthRecord | undefined): Promise<number | undefined> {
  const now = clock.now();
  const admission = computeAdmission(health, now);
  if (admission.kind === 'free' || health === undefined) return undefined;
  if (admission.kind === 'closed') return admission.until;
  return (await passGate(health, now + admission.gapMs)) ? undefined : now + admission.gapMs;
}

async function postpone(progress: Progress, until: number, reason: WaitReason): Promise<void> {
  await noteWaiting(progress.environmentId, progress.endpointId);
  await recordWait(progress, until + Math.random() * SPREAD_MS, reason);
  count({ deliveriesPutOff: { value: 1, unit: 'Count' } });
}
