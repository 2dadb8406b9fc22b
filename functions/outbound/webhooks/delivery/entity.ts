import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { firstUlidAt, readUlid } from '../../../kernel/id-format.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  childKey,
  expiringAttributes,
  model,
  partition,
  recordAttributes,
  sortedBy,
} from '../../../kernel/storage/record.ts';
import { beforeId, type Reading, type RangeFilter } from '../../../kernel/storage/range.ts';
import { narrow, querySpan } from '../../../kernel/storage/sharded-range.ts';
import { listShards, placeInShard, shardAttributes } from '../../../kernel/storage/shards.ts';
import { readTogether } from '../../../kernel/storage/together.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import type { Attempt, DeliveryState, DropReason, Wait } from './rules.ts';

/**
 * The delivery of one event to one endpoint, with its attempts. It is first written after its first attempt or
 * postponement, so a delivery that succeeds at once is one write. Deliveries of an endpoint are in eight shards, sorted by the time
 * of their events, each of which accepts 1,000 write units a second: some 5,000 deliveries a second to one endpoint.
 */
const DeliveryEntity = entity({
  model: model('webhook-delivery'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    ...shardAttributes(8),
    endpointId: { type: 'string', required: true, readOnly: true },
    eventId: { type: 'string', required: true, readOnly: true },
    eventName: { type: 'string', required: true, readOnly: true },
    /** The id of the user or organization that the event concerns; absent in rows of an earlier release. */
    subjectId: { type: 'string', readOnly: true },
    state: { type: ['pending', 'succeeded', 'failed', 'dropped'] as const, required: true },
    dropReason: { type: ['endpoint_disabled', 'endpoint_deleted', 'event_gone'] as const },
    /** The latest attempts; see {@link Attempt}. */
    attempts: { type: 'any', required: true },
    /** The latest waits; see {@link Wait}. Older rows have none. */
    waits: { type: 'any' },
    attemptCount: { type: 'number', required: true },
    /** Failed attempts since the beginning or the last resend: the position in the schedule. */
    failures: { type: 'number', required: true },
    nextAttemptAt: { type: 'string' },
    /**
     * The time from which the scheduled worker may enqueue it, which is later than the next attempt while a message for
     * that attempt is in the queue.
     */
    dueAt: { type: 'string' },
  },
  indexes: {
    primary: childKey('webhook-deliveries', 'endpointId', 'listShard'),
    /** Waiting deliveries of an endpoint by due time: one Query of each shard. */
    waiting: {
      index: 'gsi2',
      condition: ({ dueAt }: { dueAt?: unknown }) => Boolean(dueAt),
      pk: partition('gsi2pk', 'webhook-waiting', 'endpointId', 'listShard'),
      sk: sortedBy('gsi2sk', 'dueAt', 'id'),
    },
  },
});

type Stored = RecordOf<typeof DeliveryEntity>;
export type DeliveryRecord = Omit<Stored, 'attempts' | 'waits' | 'state' | 'dropReason'> & {
  attempts: readonly Attempt[];
  waits?: readonly Wait[];
  state: DeliveryState;
  dropReason?: DropReason;
};

const rows = collection(DeliveryEntity, 'silent');

/** Time in seconds for which deliveries and their attempts are kept after their last change. */
const LIFETIME_SECONDS = 30 * 86_400;
const expiry = () => clock.seconds() + LIFETIME_SECONDS;
const isAlive = ({ expiresAt }: { expiresAt?: number | undefined }): boolean => (expiresAt ?? 0) > clock.seconds();

/** The id of an event's delivery within an endpoint: the event's own ULID, so both sort by the same time. */
export const makeDeliveryId = (eventId: string): string => `webhook_delivery_${readUlid(eventId)}`;
export const makeEventId = (deliveryId: string): string => `event_${readUlid(deliveryId)}`;

type Changes = Pick<DeliveryRecord, 'state' | 'attempts' | 'attemptCount' | 'failures'> & {
  waits?: readonly Wait[] | undefined;
  dropReason?: DropReason | undefined;
  nextAttemptAt?: string | undefined;
  dueAt?: string | undefined;
};

/** Makes the first state of a delivery. */
export function createDelivery(
  identity: Pick<DeliveryRecord, 'environmentId' | 'endpointId' | 'eventId' | 'eventName' | 'subjectId'>,
  state: Changes,
) {
  return asDelivery(rows.create({ ...identity, id: makeDeliveryId(identity.eventId), ...state, expiresAt: expiry() }));
}

/** Makes the next state of a delivery. */
export function reviseDelivery(record: DeliveryRecord, changes: Partial<Changes>) {
  return asDelivery(rows.revise(record, { ...changes, expiresAt: expiry() }));
}

const asDelivery = ({ record, write }: ReturnType<typeof rows.create>) => ({
  record: record as unknown as DeliveryRecord,
  write,
});

/** Reads a delivery by one strongly consistent GetItem. */
export async function findDelivery(
  environmentId: string,
  endpointId: string,
  id: string,
): Promise<DeliveryRecord | undefined> {
  const data = await rows.get(environmentId, id, { endpointId, ...placeInShard(DeliveryEntity, id) });
  return data !== undefined && isAlive(data) ? data : undefined;
}

const FIRST = 'webhook_delivery_';
const LAST = 'webhook_delivery_~';

/** The shards of an endpoint's deliveries. */
const listPlaces = (environmentId: string, endpointId: string): { partition: string }[] =>
  listShards(DeliveryEntity).map((shard) => ({
    partition: `${environmentId}#webhook-deliveries#${endpointId}#${shard}`,
  }));

/** Deliveries of an endpoint, in one state if it is named, by one or two strongly consistent Queries of each shard. */
export async function listDeliveries(
  environmentId: string,
  endpointId: string,
  state: DeliveryState | undefined,
  { scan, limit, after }: Window,
): Promise<Reading<DeliveryRecord>> {
  const filter: RangeFilter = {
    expression: state === undefined ? '#expiresAt > :now' : '#expiresAt > :now AND #state = :state',
    names: { '#expiresAt': 'expiresAt', ...(state === undefined ? {} : { '#state': 'state' }) },
    values: { ':now': clock.seconds(), ...(state === undefined ? {} : { ':state': state }) },
  };
  const span = { ...narrow({ from: FIRST, to: LAST }, scan, after), scan, limit };
  return querySpan(listPlaces(environmentId, endpointId), span, filter, state !== undefined);
}

/** The deliveries of an event to some endpoints, by one strongly consistent BatchGetItem. */
export async function findEventDeliveries(
  environmentId: string,
  eventId: string,
  endpointIds: readonly string[],
): Promise<DeliveryRecord[]> {
  const id = makeDeliveryId(eventId);
  const found = await readTogether(() => awaitAll(endpointIds.map((one) => findDelivery(environmentId, one, id))));
  return found.filter((delivery) => delivery !== undefined);
}

/**
 * Deliveries of an endpoint in some states whose events are of a time range, the oldest first, by strongly consistent Queries of each
 * shard, at most {@link MOST_ROUNDS} times two.
 * @param from milliseconds since the epoch, inclusive
 * @param to exclusive
 */
export async function findDeliveriesBetween(
  environmentId: string,
  endpointId: string,
  states: readonly DeliveryState[],
  { from, to, limit }: { from: number; to: number; limit: number },
): Promise<DeliveryRecord[]> {
  const names = states.map((_, at) => `:state${at}`);
  const filter: RangeFilter = {
    expression: `#expiresAt > :now AND #state IN (${names.join(', ')})`,
    names: { '#expiresAt': 'expiresAt', '#state': 'state' },
    values: { ':now': clock.seconds(), ...Object.fromEntries(names.map((name, at) => [name, states[at]])) },
  };
  const found: DeliveryRecord[] = [];
  const places = listPlaces(environmentId, endpointId);
  let span = { from: `${FIRST}${firstUlidAt(from)}`, to: beforeId(`${FIRST}${firstUlidAt(to)}`) };
  let wanted = limit;
  for (let round = 0; round < MOST_ROUNDS && wanted > 0; round += 1) {
    const page = { ...span, scan: 'asc' as const, limit: wanted };
    const { records, reached } = await querySpan<DeliveryRecord>(places, page, filter, true);
    found.push(...records);
    wanted -= records.length;
    if (reached === undefined) break;
    span = narrow(span, 'asc', reached);
  }
  return found.slice(0, limit);
}

/** Maximum rounds of {@link findDeliveriesBetween}: at least some 5,000 deliveries. */
const MOST_ROUNDS = 5;

/** Waiting deliveries of each shard of an endpoint that a reader takes, by due time (eventually consistent). */
async function takeWaiting(environmentId: string, endpointId: string, limit: number, until: string) {
  const shards = await awaitAll(
    listShards(DeliveryEntity).map((listShard) => {
      const waiting = rows.entity().query.waiting({ environmentId, endpointId, listShard });
      return rows.select('waiting', waiting.lte({ dueAt: until, id: '~' })).take(limit);
    }),
  );
  return shards
    .flat()
    .sort((one, other) => ((one.dueAt ?? '') < (other.dueAt ?? '') ? -1 : 1))
    .slice(0, limit);
}

/** Waiting deliveries of an endpoint that are due, the oldest first (eventually consistent). */
export const dueDeliveries = async (environmentId: string, endpointId: string, limit: number) =>
  (await takeWaiting(environmentId, endpointId, limit, clock.timestamp())) as unknown as DeliveryRecord[];

/** The time in ms when the next waiting delivery of an endpoint is due; undefined if none waits (eventually consistent). */
export async function nextDue(environmentId: string, endpointId: string): Promise<number | undefined> {
  const [first] = await takeWaiting(environmentId, endpointId, 1, '~');
  return first?.dueAt === undefined ? undefined : Date.parse(first.dueAt);
}
