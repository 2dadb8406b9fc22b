import { clock } from '../../../kernel/clock.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import { dueAttributes, dueIndex, dueOn, findDue } from '../../../kernel/storage/due.ts';
import { isConditionFailure } from '../../../kernel/storage/faults.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../../kernel/storage/record.ts';
import { gateAfter, SLOW_FOR_MS } from './rules.ts';

/**
 * The state of an endpoint that has failed, is slow or has deliveries waiting. A healthy endpoint has no row or one without
 * failures: a delivery that succeeds at once writes nothing here. The row is in the due index while the endpoint has
 * waiting deliveries, so that the scheduled worker finds endpoints, not each delivery.
 */
const HealthEntity = entity({
  model: model('webhook-health'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    ...dueAttributes,
    failures: { type: 'number' },
    failingSince: { type: 'string' },
    slowUntil: { type: 'number' },
    gateAt: { type: 'number' },
    /** The time when a delivery was last postponed, in ms: for a while after it, the index may not show all of them. */
    touchedAt: { type: 'number' },
  },
  indexes: {
    primary: recordKey('webhook-health'),
    /** Endpoints whose waiting deliveries are due for a check. */
    due: dueIndex('webhook-health'),
  },
});

export type HealthRecord = RecordOf<typeof HealthEntity>;
export const healths = collection(HealthEntity, 'internal');

const LIFETIME_SECONDS = 14 * 86_400;

const upsert = (environmentId: string, id: string) => {
  const now = clock.timestamp();
  return healths
    .entity()
    .upsert({ environmentId, id, createdAt: now, updatedAt: now, expiresAt: clock.seconds() + LIFETIME_SECONDS });
};

/**
 * The state of an endpoint for one delivery, by one eventually consistent GetItem: all deliveries of an endpoint read its row, and one that
 * lags by moments starts a few attempts more. Other writes of the row are conditional, or only add to it.
 */
export const findHealth = (environmentId: string, id: string): Promise<HealthRecord | undefined> =>
  healths.getLagging(environmentId, id);

/**
 * Counts a failed attempt and adds the endpoint to the due index. It is written before the delivery is postponed: the
 * scheduled worker checks such an endpoint every minute until the index must show its deliveries.
 * @param former the state as last read, which determines how long the circuit stays open
 */
export async function noteFailure(
  environmentId: string,
  id: string,
  former: Pick<HealthRecord, 'failures' | 'failingSince'> = {},
): Promise<HealthRecord> {
  const now = clock.now();
  const since = former.failingSince === undefined ? now : Date.parse(former.failingSince);
  const gateAt = gateAfter((former.failures ?? 0) + 1, since, now);
  const { data } = await upsert(environmentId, id)
    .set({ touchedAt: now, gateAt, ...dueOn(id, now) })
    .add({ failures: 1, version: 1 })
    .ifNotExists({ failingSince: new Date(now).toISOString() })
    .go({ response: 'all_new' });
  return data;
}

/** Adds an endpoint with a postponed delivery to the due index. */
export async function noteWaiting(environmentId: string, id: string): Promise<void> {
  const now = clock.now();
  await upsert(environmentId, id)
    .set({ touchedAt: now, ...dueOn(id, now) })
    .add({ version: 1 })
    .go();
}

/** Marks an endpoint while a slow attempt is running. */
export async function noteSlow(environmentId: string, id: string): Promise<void> {
  const now = clock.now();
  await upsert(environmentId, id)
    .set({ slowUntil: now + SLOW_FOR_MS, ...dueOn(id, now) })
    .add({ version: 1 })
    .go();
}

/**
 * Clears failures after a success. The circuit closes, and waiting deliveries continue with the next run of the scheduled
 * worker.
 */
export async function noteRecovery(environmentId: string, id: string): Promise<void> {
  await healths
    .entity()
    .patch({ environmentId, id })
    .set({ failures: 0, gateAt: 0, ...dueOn(id, clock.now()) })
    .add({ version: 1 })
    .remove(['failingSince'])
    .go();
}

/**
 * Sets the time before which no further attempt at an endpoint may start (its gate). Returns false if another worker set it
 * first.
 */
export async function passGate({ environmentId, id, gateAt }: HealthRecord, next: number): Promise<boolean> {
  try {
    await healths
      .entity()
      .patch({ environmentId, id })
      .set({ gateAt: next })
      .add({ version: 1 })
      .where((at, { eq, notExists }) => (gateAt === undefined ? notExists(at.gateAt) : eq(at.gateAt, gateAt)))
      .go();
    return true;
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    return false;
  }
}

/** Endpoints, of every environment, whose waiting deliveries are due for a check now. */
export const dueEndpoints = (limit: number): Promise<HealthRecord[]> => findDue(healths.entity(), limit);
