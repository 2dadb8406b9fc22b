import { randomInt } from 'node:crypto';

import { awaitAll } from '../../../kernel/concurrency.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { ownedRecord } from '../../../kernel/storage/record.ts';
import { entity } from '../../../kernel/storage/entity.ts';
import type { Write } from '../../../kernel/storage/write.ts';

/**
 * The numbers of a directory's users and groups, in shards. Every creation and removal changes one shard in its own
 * transaction, so the sum is exact, and concurrent calls rarely write the same row.
 */
const SHARDS = 8;
/** Number of directories whose shards one BatchGetItem of a hundred keys reads. */
const AT_ONCE = 12;

const CountEntity = entity(
  ownedRecord('directory-count', {
    active: { type: 'number', required: true },
    inactive: { type: 'number', required: true },
    /** Users that only SCIM shows: inactive users of a directory that deletes them. */
    hidden: { type: 'number', required: true },
    groups: { type: 'number', required: true },
  }),
);

const counts = collection(CountEntity, 'internal');

/** The numbers of a directory's resources, or changes of these numbers. */
export interface Counts {
  active: number;
  inactive: number;
  hidden: number;
  groups: number;
}

export const NO_COUNTS: Counts = { active: 0, inactive: 0, hidden: 0, groups: 0 };

const idOf = (directoryId: string, shard: number): string => `${directoryId}#${shard}`;
const listShards = (directoryId: string): string[] =>
  Array.from({ length: SHARDS }, (_, shard) => idOf(directoryId, shard));

/** The rows of a new directory. */
export const newCounts = (environmentId: string, directoryId: string, owner: string): Write[] =>
  listShards(directoryId).map((id) => counts.create({ environmentId, id, owner, ...NO_COUNTS }).write);

/** The writes that remove the rows of a directory; after them every change of its resources fails. */
export const removalOfCounts = (environmentId: string, directoryId: string): Write[] =>
  listShards(directoryId).map((id) => counts.removeByKey({ environmentId, id }));

/** Changes the numbers of a directory, once in a unit of work. The write fails if the directory was deleted. */
export function changeCounts(environmentId: string, directoryId: string, change: Partial<Counts>): Write[] {
  const entries = Object.entries(change).filter(([, by]) => by !== 0);
  if (entries.length === 0) return [];
  return [
    {
      kind: 'Update',
      params: {
        ...counts.keyOf({ environmentId, id: idOf(directoryId, randomInt(SHARDS)) }),
        UpdateExpression: `ADD ${entries.map(([name]) => `#${name} :${name}`).join(', ')}`,
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: Object.fromEntries(entries.map(([name]) => [`#${name}`, name])),
        ExpressionAttributeValues: Object.fromEntries(entries.map(([name, by]) => [`:${name}`, by])),
      },
    },
  ];
}

/** The numbers of some directories by their ids, by a BatchGetItem for each dozen, in parallel. */
export async function readCounts(environmentId: string, ids: readonly string[]): Promise<Map<string, Counts>> {
  const parts = Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, at) =>
    ids.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
  );
  const found = await awaitAll(parts.map((part) => counts.getMany(environmentId, part.flatMap(listShards))));
  const sums = new Map<string, Counts>(ids.map((id) => [id, { ...NO_COUNTS }]));
  for (const row of found.flat()) {
    const sum = sums.get(row.id.slice(0, row.id.lastIndexOf('#')));
    if (sum === undefined) continue;
    sum.active += row.active;
    sum.inactive += row.inactive;
    sum.hidden += row.hidden;
    sum.groups += row.groups;
  }
  return sums;
}
