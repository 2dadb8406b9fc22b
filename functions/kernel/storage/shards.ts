import { hasUlid } from '../id-format.ts';
import { choosePartitionIn, listPartitions, type Partitionings } from '../partitions.ts';
import type { AnyEntity, Model } from './entity.ts';
import { partition, sortedBy } from './record.ts';

/**
 * The attribute of records whose list many callers write at once: the shard of the list that a record is in, by the hash of its
 * id. {@link collection}.create sets it, and `list` reads all shards as one list.
 * @param shards Number of shards: each accepts 1,000 write units a second, and each page reads all of them in parallel, so it
 * costs at least half a read unit for each. More shards are a further range of {@link Partitionings} that starts in the future.
 */
export const shardAttributes = (shards: number) => ({
  listShard: {
    type: 'string' as const,
    required: true as const,
    readOnly: true as const,
    partitionings: [{ since: 0, partitions: shards }] satisfies Partitionings,
  },
});

/**
 * The index gsi1 with all records of a kind in one environment (or below a parent), by creation, in shards: one Query of each shard
 * for each page, in parallel. The entity has {@link shardAttributes}.
 */
export const shardedIndex = <const Kind extends string, const Parents extends readonly string[]>(
  kind: Kind,
  ...parents: Parents
) => ({
  index: 'gsi1' as const,
  pk: partition('gsi1pk', kind, ...parents, 'listShard'),
  sk: sortedBy('gsi1sk', 'id'),
});

/** The name of a shard in rows, which no other value of a row resembles. */
const nameShard = (partitionOfIds: string): string => `s${partitionOfIds}`;

const readPartitionings = (model: Model<AnyEntity>): Partitionings | undefined =>
  (model.schema as { attributes: { listShard?: { partitionings: Partitionings } } }).attributes.listShard
    ?.partitionings;

/**
 * The attribute of a record that places it in a shard by its id; none for records whose list has no shards. A text that is no id has
 * a shard without records, so that its read costs the same.
 */
export function placeInShard(model: Model<AnyEntity>, id: string): { listShard?: string } {
  const partitionings = readPartitionings(model);
  if (partitionings === undefined) return {};
  return { listShard: hasUlid(id) ? nameShard(choosePartitionIn(partitionings, id)) : 'none' };
}

/** The shards of the lists of a kind. */
export const listShards = (model: Model<AnyEntity>): string[] =>
  listPartitions(readPartitionings(model) ?? []).map(nameShard);

/** Reports whether the attributes that identify a list are those of all its shards. */
export function isSharded(model: Model<AnyEntity>, index: string, composites: object): boolean {
  const { indexes } = model.schema as { indexes: Record<string, { pk: { composite: readonly string[] } }> };
  return !('listShard' in composites) && indexes[index]?.pk.composite.includes('listShard') === true;
}
