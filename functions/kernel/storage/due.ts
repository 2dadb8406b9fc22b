import type { EntityItem } from 'electrodb';

import { clock } from '../clock.ts';
import { awaitAll } from '../concurrency.ts';
import { chooseShard } from '../partitions.ts';
import type { AnyEntity } from './entity.ts';
import type { Recorded } from './record-writes.ts';

/**
 * Work that becomes due: rows in an index sorted by due time, which a scheduled worker reads. The index is the stage's own
 * (one worker serves every environment), so its key is one of the few that do not begin with an environment.
 */
const SHARDS = 4;
/** Rows read from each shard at once. */
const BATCH = 25;

/**
 * Time in ms after which a removal or a change of many rows is done once more: longer than the writes of any call that read the
 * former state can take, and than an index lags.
 */
export const SECOND_RUN_MS = 10 * 60_000;

/** Attributes of a record with due work; both are absent while no work is due. */
export const dueAttributes = {
  /** A partition of the due index, by the record's id. */
  dueShard: { type: 'string' },
  /** The time from which the work is due (ISO 8601). */
  dueAt: { type: 'string' },
} as const;

/** The index gsi3, with records that have due work, by time. */
export const dueIndex = <const Kind extends string>(kind: Kind) =>
  ({
    index: 'gsi3',
    condition: ({ dueAt }: { dueAt?: unknown }) => Boolean(dueAt),
    pk: { field: 'gsi3pk', composite: ['dueShard'], template: `stage#due#${kind}#\${dueShard}`, casing: 'none' },
    sk: { field: 'gsi3sk', composite: ['dueAt', 'id'], template: '${dueAt}#${id}', casing: 'none' },
  }) as const;

/** The due attributes of a record with work that is due at a time, in milliseconds since the epoch. */
export const dueOn = (id: string, milliseconds: number): { dueShard: string; dueAt: string } => ({
  dueShard: String(chooseShard(id, SHARDS)),
  dueAt: new Date(milliseconds).toISOString(),
});

/** Time limit in ms of one run of {@link forEachDue}: less than the time-out of the schedules that call it. */
const RUN_MS = 60_000;

/**
 * Does the due work of all records of an entity, batch by batch, until none is due or a minute has passed. A record is taken once a
 * run, since the index may show it again after its work is done.
 */
export async function forEachDue<E extends AnyEntity>(
  entity: E,
  perform: (record: EntityItem<E>) => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  const seen = new Set<string>();
  while (performance.now() - startedAt < RUN_MS) {
    const due = (await findDue(entity, BATCH)).filter((record) => {
      const { environmentId, id } = record as unknown as Recorded;
      const key = `${environmentId} ${id}`;
      return !seen.has(key) && seen.add(key);
    });
    if (due.length === 0) return;
    for (const record of due) await perform(record);
  }
}

interface DueQuery {
  lt(bound: { dueAt: string }): {
    go(options: { limit: number; order: 'asc' }): Promise<{ data: unknown[] }>;
  };
}

/**
 * Records of an entity whose work is due now, the oldest first, by one Query for each shard, in parallel. The index lags by
 * moments and may return a row again, so a worker reads the record again and claims it by a conditional write.
 * @param limit maximum rows read from each shard
 */
export async function findDue<E extends AnyEntity>(entity: E, limit: number): Promise<EntityItem<E>[]> {
  const paths = entity.query as unknown as { due: (key: { dueShard: string }) => DueQuery };
  // Keys of rows that are due in this millisecond continue with their id, so they are below the bound of the next one only.
  const next = new Date(clock.now() + 1).toISOString();
  const pages = await awaitAll(
    Array.from({ length: SHARDS }, (_, shard) =>
      paths
        .due({ dueShard: String(shard) })
        .lt({ dueAt: next })
        .go({ limit, order: 'asc' }),
    ),
  );
  return pages.flatMap(({ data }) => data as EntityItem<E>[]);
}
