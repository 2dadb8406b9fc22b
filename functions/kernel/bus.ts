import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';

import { clientOptions } from './aws-requests.ts';
import type { BusDetail } from './http/worker.ts';
import { log } from './log.ts';
import { splitBatches } from './queues.ts';
import { perSettings, settings } from './settings.ts';

/** The `source` of every event on the bus. Rules match its `detail-type`, which is the event's name. */
const BUS_SOURCE = 'gatehouse';

/** The limits of EventBridge for a PutEvents: number of entries, and bytes of all of them. */
const BATCH_ENTRIES = 10;
const BATCH_BYTES = 262_144;
/** An upper bound of the bytes that EventBridge counts for an entry in addition to source, detail type and detail. */
const ENTRY_BYTES = 64;
/**
 * Maximum bytes of a detail, which leave room for the envelope that targets get. A larger detail is sent without its
 * payload.
 */
export const MAX_DETAIL_BYTES = 200_000;

const busClient = perSettings(
  () => new EventBridgeClient({ maxAttempts: 3, ...clientOptions() }),
  (former) => former.destroy(),
);

/**
 * The JSON of a detail, without its payload and context if it is too large. EventBridge accepts every character, so none is
 * escaped.
 */
export function detailText(detail: BusDetail): string {
  const text = JSON.stringify(detail);
  if (Buffer.byteLength(text) <= MAX_DETAIL_BYTES) return text;
  const { data: _data, context: _context, ...reference } = detail;
  return JSON.stringify(reference);
}

/**
 * Sends events to the bus in order, ten or 256 KiB at a time. It stops at the first batch that is not accepted completely.
 * @returns the positions of the events that are not on the bus; empty if all are
 */
export async function putEvents(details: readonly BusDetail[]): Promise<number[]> {
  const entries = details.map((detail, at) => ({ at, name: detail.event, text: detailText(detail) }));
  const measureSize = ({ name, text }: (typeof entries)[number]) =>
    Buffer.byteLength(text) + name.length + BUS_SOURCE.length + ENTRY_BYTES;
  for (const batch of splitBatches(entries, measureSize, BATCH_ENTRIES, BATCH_BYTES)) {
    const rejected = await putBatch(batch);
    const [first] = rejected;
    // Events after the first rejected one in its batch may be on the bus already, so consumers must accept duplicates.
    if (first !== undefined) return [...rejected, ...entries.slice((batch.at(-1)?.at ?? 0) + 1).map(({ at }) => at)];
  }
  return [];
}

async function putBatch(batch: readonly { at: number; name: string; text: string }[]): Promise<number[]> {
  const EventBusName = settings().GATEHOUSE_BUS;
  const Entries = batch.map(({ name, text }) => ({
    EventBusName,
    Source: BUS_SOURCE,
    DetailType: name,
    Detail: text,
  }));
  try {
    const { Entries: results = [] } = await busClient().send(new PutEventsCommand({ Entries }));
    const rejected = batch.filter((_, at) => results[at]?.EventId === undefined);
    if (rejected.length > 0) log.warn('the bus did not take events', { rejected: rejected.length, of: batch.length });
    return rejected.map(({ at }) => at);
  } catch (error) {
    log.warn('the bus did not respond', { error });
    return batch.map(({ at }) => at);
  }
}
