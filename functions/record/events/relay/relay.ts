import type { DynamoDBRecord } from 'aws-lambda';

import type { QueueName } from '../../../kernel/area.ts';
import { putEvents } from '../../../kernel/bus.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { log } from '../../../kernel/log.ts';
import { count } from '../../../kernel/metrics.ts';
import { enqueue } from '../../../kernel/queues.ts';
import { type Departure, findOrderKey, readDeparture } from './departure.ts';
import { computeFigures } from './figures.ts';

/**
 * Relays the rows that transactions wrote: events to the bus, messages and the outbox to their queues. Events of one subject reach
 * the bus in the order of the stream, others at the same time.
 * @returns sequence numbers of the failed records, which the stream delivers again
 */
export async function relay(records: readonly DynamoDBRecord[]): Promise<string[]> {
  const departures = records.flatMap((record) => {
    const departure = readDeparture(record);
    return departure === undefined ? [] : [{ sequence: record.dynamodb?.SequenceNumber ?? '', departure }];
  });
  const failed = await awaitAll([
    relayEvents(departures),
    relayToQueue(departures, 'messages'),
    relayToQueue(departures, 'deliveries'),
    relayToQueue(departures, 'audit-logs'),
  ]);
  return failed.flat();
}

interface Sequenced {
  sequence: string;
  departure: Departure;
}

async function relayEvents(departures: readonly Sequenced[]): Promise<string[]> {
  const events = departures.flatMap(({ sequence, departure }) =>
    departure.kind === 'event' ? [{ sequence, detail: departure.detail }] : [],
  );
  if (events.length === 0) return [];
  const details = events.map(({ detail }) => detail);
  const rejected = await putEvents(details, details.map(findOrderKey));
  count(computeFigures(events.filter((_, at) => !rejected.includes(at)).map(({ detail }) => detail.event)));
  return rejected.flatMap((at) => events[at]?.sequence ?? []);
}

async function relayToQueue(departures: readonly Sequenced[], queue: QueueName): Promise<string[]> {
  const outgoing = departures.flatMap(({ sequence, departure }) =>
    departure.kind === 'message' && departure.queue === queue ? [{ sequence, body: departure.body }] : [],
  );
  if (outgoing.length === 0) return [];
  try {
    await enqueue(
      queue,
      outgoing.map(({ body }) => ({ body })),
    );
    return [];
  } catch (error) {
    log.warn('a queue did not take messages', { queue, error });
    return outgoing.map(({ sequence }) => sequence);
  }
}
