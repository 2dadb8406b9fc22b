import { awaitAll, mapConcurrently } from '../../../kernel/concurrency.ts';
import { MINUTE_MS } from '../../../kernel/durations.ts';
import { systemActor } from '../../../kernel/authentication/caller.ts';
import { clock } from '../../../kernel/clock.ts';
import { log } from '../../../kernel/log.ts';
import { enqueue, type QueueMessage } from '../../../kernel/queues.ts';
import { acceptConflict } from '../../../kernel/storage/background.ts';
import { dueOn } from '../../../kernel/storage/due.ts';
import { Unit } from '../../../kernel/storage/unit.ts';
import { dueEndpoints, healths, type HealthRecord } from '../health/entity.ts';
import { computeAllowance } from '../health/rules.ts';
import { type DeliveryRecord, dueDeliveries, nextDue, reviseDelivery } from './entity.ts';
import { messageOf, orderOf } from './order.ts';
import { LEASE_MS } from './record.ts';

/** Maximum endpoints read from each shard of the due index in one run. */
const ENDPOINTS = 100;
/** Number of endpoints that are processed in parallel. */
const WIDTH = 8;
/** Number of leases taken at a time. */
const LEASES = 25;
/** Time in ms for which the index may not show a postponed delivery: the endpoint is checked again until then. */
const SETTLE_MS = 2 * MINUTE_MS;

/**
 * Enqueues the waiting deliveries that are due, a bounded number for each endpoint, so that no endpoint delays the others.
 * It runs every minute. Overlapping runs are safe: a delivery is leased by a conditional write, and only the run that has
 * the lease enqueues it.
 */
export async function enqueueRetries(): Promise<void> {
  const waiting = await dueEndpoints(ENDPOINTS);
  await mapConcurrently(waiting, WIDTH, async ({ environmentId, id }) => {
    try {
      await releaseEndpoint(environmentId, id);
    } catch (error) {
      // A failure for one endpoint must not stop the others; the endpoint stays in the index until the next run.
      log.warn('waiting deliveries stay where they are', { endpoint_id: id, error });
    }
  });
}

async function releaseEndpoint(environmentId: string, endpointId: string): Promise<void> {
  const health = await healths.get(environmentId, endpointId);
  const now = clock.now();
  if (health?.dueAt === undefined || Date.parse(health.dueAt) > now) return;
  const { deliveries, gapMs } = computeAllowance(health, now);
  const due = deliveries === 0 ? [] : await dueDeliveries(environmentId, endpointId, deliveries);
  for (let at = 0; at < due.length; at += LEASES) {
    const leased = await awaitAll(due.slice(at, at + LEASES).map(lease));
    const messages = leased.flatMap((record, place): QueueMessage[] =>
      record === undefined ? [] : [messageOf(orderOf(record), Math.floor(((at + place) * gapMs) / 1_000))],
    );
    await enqueue('deliveries', messages);
  }
  await scheduleNextCheck(health, due.length === deliveries, now);
}

/** Leases a delivery for the queue: if its message is lost, it is due again when the lease ends. */
async function lease(delivery: DeliveryRecord): Promise<DeliveryRecord | undefined> {
  const { record, write } = reviseDelivery(delivery, { dueAt: new Date(clock.now() + LEASE_MS).toISOString() });
  const unit = new Unit(delivery.environmentId, systemActor);
  unit.stage(write);
  return (await unit.commit()).kind === 'committed' ? record : undefined;
}

/** Sets when the endpoint is checked again; the write has no effect if a newer failure has replaced it. */
async function scheduleNextCheck(health: HealthRecord, isMore: boolean, now: number): Promise<void> {
  const { environmentId, id, touchedAt = 0, gateAt = 0 } = health;
  const soon = isMore || now - touchedAt < SETTLE_MS;
  const next = soon ? now + MINUTE_MS / 2 : await nextDue(environmentId, id);
  const due = next === undefined ? { dueShard: undefined, dueAt: undefined } : dueOn(id, Math.max(next, gateAt));
  const unit = new Unit(environmentId, systemActor);
  unit.stage(healths.revise(health, due).write);
  acceptConflict(await unit.commit(), 'a newer attempt has changed the row, which stays due or has its own time');
}
