import { readTime } from './id-format.ts';

/**
 * The time ranges of a list that is spread over partitions by the ids of its records, each with its number of partitions. To
 * add partitions, append a range that starts in the future: reads cover all ranges of their period.
 */
export type Partitionings = readonly { since: number; partitions: number }[];

/** One of a number of shards, by the hash of an id (FNV-1a): 0 or more, and less than the number. */
export function chooseShard(id: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193) >>> 0;
  return hash % shards;
}

/** The partition of a record, by its id. */
export function choosePartitionIn(partitionings: Partitionings, id: string): string {
  const time = readTime(id);
  const range = partitionings.findLastIndex(({ since }) => since <= time);
  return `${range}.${chooseShard(id, partitionings[range]?.partitions ?? 1)}`;
}

/** The partitions of the records of a time range, in milliseconds since the epoch; of all records without one. */
export function listPartitions(partitionings: Partitionings, from = 0, to = Infinity): string[] {
  return partitionings.flatMap(({ since, partitions }, range) => {
    const until = partitionings[range + 1]?.since ?? Infinity;
    if (since > to || until <= from) return [];
    return Array.from({ length: partitions }, (_, partition) => `${range}.${partition}`);
  });
}
