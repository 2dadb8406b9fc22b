import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';

import { clientOptions } from './aws-requests.ts';
import { mapConcurrently } from './concurrency.ts';
import type { BusDetail } from './events/detail.ts';
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

/** An entry of the bus, with its position among the given events. */
interface Entry {
  at: number;
  name: string;
  text: string;
}

const measureSize = ({ name, text }: Pick<Entry, 'name' | 'text'>): number =>
  Buffer.byteLength(text) + name.length + BUS_SOURCE.length + ENTRY_BYTES;

/**
 * Sends events to the bus, ten or 256 KiB at a time. Events of one subject are sent in order, in one request or one after another; those of
 * others at the same time.
 * @param subjects of the events, in their order; without them all events are of one subject
 * @returns the positions of the events that are not on the bus; empty if all are
 */
export async function putEvents(details: readonly BusDetail[], subjects: readonly string[] = []): Promise<number[]> {
  const entries = details.map((detail, at) => ({ at, name: detail.event, text: detailText(detail) }));
  const rejected = await mapConcurrently(planLanes(entries, subjects), MOST_LANES, putLane);
  return rejected.flat().toSorted((a, b) => a - b);
}

/** Maximum number of requests at a time. */
const MOST_LANES = 10;

/**
 * Divides events into lanes that are sent at the same time. All events of a subject are in one lane, in order. Subjects with few events share
 * a lane as long as it is one request.
 */
export function planLanes<T extends Pick<Entry, 'name' | 'text'>>(
  entries: readonly T[],
  subjects: readonly string[],
): T[][] {
  const bySubject = new Map<string, T[]>();
  for (const [at, entry] of entries.entries()) {
    const subject = subjects[at] ?? '';
    const own = bySubject.get(subject);
    if (own === undefined) bySubject.set(subject, [entry]);
    else own.push(entry);
  }
  const lanes: { entries: T[]; bytes: number }[] = [];
  for (const own of bySubject.values()) {
    const bytes = own.reduce((sum, entry) => sum + measureSize(entry), 0);
    const open = lanes.find(
      (lane) => lane.entries.length + own.length <= BATCH_ENTRIES && lane.bytes + bytes <= BATCH_BYTES,
    );
    if (open === undefined) lanes.push({ entries: [...own], bytes });
    else {
      open.entries.push(...own);
      open.bytes += bytes;
    }
  }
  return lanes.map((lane) => lane.entries);
}

/** Sends the events of a lane in order, up to the first request that is not accepted completely. @returns the positions of those that are not on the bus */
async function putLane(entries: readonly Entry[]): Promise<number[]> {
  for (const batch of splitBatches(entries, measureSize, BATCH_ENTRIES, BATCH_BYTES)) {
    const rejected = await putBatch(batch);
    const [first] = rejected;
    // Events after the first rejected one in its batch may be on the bus already, so consumers must accept duplicates.
    const last = batch.at(-1);
    if (first !== undefined && last !== undefined)
      return [...rejected, ...entries.slice(entries.indexOf(last) + 1).map(({ at }) => at)];
  }
  return [];
}

async function putBatch(batch: readonly Entry[]): Promise<number[]> {
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
