import { putEvents } from '../../../kernel/bus.ts';
import { makeDetail } from '../../../kernel/events/detail.ts';
import type { EventRecord } from '../../../kernel/events/entity.ts';
import { partitionKey, partitionsBetween } from '../../../kernel/events/partitions.ts';
import { firstUlidAt } from '../../../kernel/id-format.ts';
import { StorageUnavailable } from '../../../kernel/storage/faults.ts';
import { afterId, beforeId, queryRange } from '../../../kernel/storage/range.ts';
import { findOrderKey } from './departure.ts';

/** Number of rows read and sent at a time, which bounds the memory for any range. */
const PAGE = 500;

/**
 * Sends the events of a time range to the bus again, oldest first within each partition, to recover events that the
 * relay moved to its dead-letter queue. Consumers accept duplicates; delivered webhooks are not sent again.
 *
 * @param from Milliseconds since the epoch, inclusive.
 * @param to Exclusive.
 * @returns the number of events
 * @throws StorageUnavailable if the bus rejects them; the range can be replayed again
 */
export async function replayEvents(environmentId: string, from: number, to: number): Promise<number> {
  let replayed = 0;
  for (const partition of partitionsBetween(from, to)) {
    replayed += await replayPartition(partitionKey(environmentId, partition), from, to);
  }
  return replayed;
}

async function replayPartition(partition: string, from: number, to: number): Promise<number> {
  const end = beforeId(`event_${firstUlidAt(to)}`);
  let start = `event_${firstUlidAt(from)}`;
  let replayed = 0;
  for (;;) {
    const page = await queryRange<EventRecord>({ partition, from: start, to: end, scan: 'asc' }, undefined, PAGE);
    const details = page.records.map(makeDetail);
    const rejected = await putEvents(details, details.map(findOrderKey));
    if (rejected.length > 0) throw new StorageUnavailable(`The bus rejected ${rejected.length} events`);
    replayed += page.records.length;
    if (page.reached === undefined) return replayed;
    start = afterId(page.reached);
  }
}
