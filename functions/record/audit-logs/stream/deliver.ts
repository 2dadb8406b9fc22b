import { systemActor } from '../../../kernel/authentication/caller.ts';
import { clock } from '../../../kernel/clock.ts';
import { readTime } from '../../../kernel/id-format.ts';
import { withLease } from '../../../kernel/limits/lease.ts';
import { addLogContext, log } from '../../../kernel/log.ts';
import { count } from '../../../kernel/metrics.ts';
import { settings } from '../../../kernel/settings.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { dueOn } from '../../../kernel/storage/due.ts';
import { readRows } from '../event/store.ts';
import { type IntervalRecord, readIntervals } from '../evidence/entity.ts';
import type { EvidenceRow } from '../evidence/row.ts';
import { readSegment, segmentKey } from '../evidence/segment.ts';
import { findStream, type StreamRecord, streams } from './entity.ts';
import {
  backOffAfter,
  BATCH_BYTES,
  BATCH_EVENTS,
  type Position,
  type Positions,
  stateAfter,
  type StreamedEvent,
  streamedEvent,
} from './rules.ts';
import { sendBatch, type Sent } from './send.ts';

const LEASE_SECONDS = 900;
/** Time in ms between two runs of a stream. */
const PAUSE_MS = 60_000;
/** Time in ms for one stream before the other streams are served. */
const BUDGET_MS = 5 * 60_000;

/**
 * Delivers an organization's events to its stream, oldest first, from the last position. An hour is complete when it is
 * sealed and the number of delivered events is the number of sealed ones. If the index showed an event late, the whole hour
 * is sent again with the same ids. So every event is delivered at least once.
 */
export async function deliverStream(environmentId: string, organizationId: string): Promise<void> {
  addLogContext({ environment_id: environmentId, organization_id: organizationId });
  await withLease(environmentId, `audit-stream#${organizationId}`, { seconds: LEASE_SECONDS }, async () => {
    const stream = await findStream(environmentId, organizationId);
    if (stream === undefined || stream.state === 'inactive') return;
    const run = new Run(stream);
    await run.work();
  });
}

/** Performs one run of a stream. */
class Run {
  readonly #stream: StreamRecord;
  readonly #deadline = clock.now() + BUDGET_MS;
  #from: string;
  #positions: Record<string, Position>;
  /** The number of consecutive failures; an accepted batch resets it. */
  #failures: number;
  /** Intervals that were completed in this run. */
  readonly #closed = new Set<string>();

  constructor(stream: StreamRecord) {
    this.#stream = stream;
    this.#failures = stream.failures;
    this.#from = stream.from;
    this.#positions = { ...(stream.positions as Positions) };
  }

  async work(): Promise<void> {
    const { environmentId, organizationId } = this.#stream;
    const start = Object.keys(this.#positions).reduce((least, id) => (id < least ? id : least), this.#from);
    for await (const interval of readIntervals(environmentId, organizationId, start)) {
      if (interval.id < this.#from && !(interval.id in this.#positions)) continue;
      const failure = await this.#deliverInterval(interval);
      if (failure !== undefined) return this.#noteFailure(failure);
      if (clock.now() > this.#deadline) break;
    }
    await this.#save({ state: 'active', failures: 0, lastError: undefined, ...this.#next(PAUSE_MS) });
  }

  /**
   * Delivers one interval.
   * @returns the failure; undefined if there is nothing more to deliver at present
   */
  async #deliverInterval(interval: IntervalRecord): Promise<Sent | undefined> {
    if (interval.state !== 'open' && !this.#isDelivered(interval) && this.#positions[interval.id]?.sealed !== true) {
      // The hour is sealed, but events that its rows showed late were not delivered, so its segment is sent from the start.
      this.#positions[interval.id] = { count: 0, sealed: true };
    }
    const failure = await this.#deliverRows(interval);
    if (failure === undefined && interval.state !== 'open' && clock.now() <= this.#deadline) this.#close(interval);
    return failure;
  }

  #isDelivered({ id, size }: IntervalRecord): boolean {
    return this.#positions[id]?.count === size;
  }

  async #deliverRows(interval: IntervalRecord): Promise<Sent | undefined> {
    if (interval.state === 'erased' || (interval.state === 'sealed' && this.#isDelivered(interval))) return undefined;
    let batch: StreamedEvent[] = [];
    let bytes = 0;
    for await (const row of this.#rows(interval)) {
      batch.push(streamedEvent(this.#stream.organizationId, row));
      bytes += row.actor.length + row.targets.length + row.context.length + row.metadata.length + 500;
      if (batch.length < BATCH_EVENTS && bytes < BATCH_BYTES) continue;
      const sent = await this.#send(interval.id, batch);
      if (!sent.ok) return sent;
      if (clock.now() > this.#deadline) return undefined;
      batch = [];
      bytes = 0;
    }
    if (batch.length === 0) return undefined;
    const sent = await this.#send(interval.id, batch);
    return sent.ok ? undefined : sent;
  }

  /** The events of an interval that are still to be delivered. */
  async *#rows(interval: IntervalRecord): AsyncGenerator<EvidenceRow> {
    const { environmentId, organizationId, id, segment = 0 } = interval;
    const after = this.#positions[id]?.after;
    if (interval.state === 'sealed') {
      for await (const row of readSegment(segmentKey(environmentId, organizationId, segment))) {
        if (after === undefined || row.id > after) yield row;
      }
      return;
    }
    // An id is made before its row is written, and the index lags behind the table, so the newest events may be incomplete.
    const settled = clock.now() - 4 * settings().GATEHOUSE_EVENT_HORIZON_MS;
    for await (const row of readRows({ environmentId, organizationId, hour: id }, after)) {
      if (readTime(row.id) > settled) return;
      yield row;
    }
  }

  async #send(intervalId: string, batch: readonly StreamedEvent[]): Promise<Sent> {
    const sent = await sendBatch(this.#stream, batch);
    if (!sent.ok) return sent;
    const { count: before = 0, sealed } = this.#positions[intervalId] ?? {};
    this.#positions[intervalId] = { after: batch.at(-1)?.id, count: before + batch.length, ...(sealed && { sealed }) };
    this.#failures = 0;
    await this.#save({ lastSyncedAt: clock.timestamp() });
    count({ auditEventsStreamed: { value: batch.length, unit: 'Count' } });
    return sent;
  }

  /** Marks an interval as complete, so that earlier hours are not read again. */
  #close({ id }: IntervalRecord): void {
    delete this.#positions[id];
    this.#closed.add(id);
    if (id >= this.#from) this.#from = `${id} `;
  }

  async #noteFailure(failure: Sent): Promise<void> {
    if (failure.ok) return;
    const failures = this.#failures + 1;
    const state = stateAfter(failures, failure.status);
    log.warn('a log stream did not take events', { reason: failure.reason, failures });
    await this.#save({
      state,
      failures,
      lastError: failure.reason,
      ...this.#next(backOffAfter(failures, Math.random())),
    });
  }

  #next(milliseconds: number) {
    return dueOn(this.#stream.id, clock.now() + milliseconds);
  }

  /** Stores the position, and keeps a concurrent change of the stream by the customer. */
  async #save(changes: Parameters<typeof streams.revise>[1]): Promise<void> {
    const { environmentId, organizationId } = this.#stream;
    await applyWork(environmentId, systemActor, async (unit) => {
      const stream = await findStream(environmentId, organizationId);
      if (stream?.id !== this.#stream.id) return;
      this.#adoptReopened(stream.positions as Positions);
      const kept = stream.state === 'inactive' ? { state: stream.state, dueShard: undefined, dueAt: undefined } : {};
      const progress = { from: this.#from, positions: this.#positions };
      unit.stage(streams.revise(stream, { ...changes, ...progress, ...kept }).write);
    });
  }

  /** Adopts the intervals that {@link reopen} marked during this run: they are delivered in the next run. */
  #adoptReopened(stored: Positions): void {
    for (const [id, position] of Object.entries(stored)) {
      if (!(id in this.#positions) && !this.#closed.has(id)) this.#positions[id] = position;
    }
  }
}

/** Makes a stream deliver events that were found after their hour was complete. */
export async function reopen(environmentId: string, organizationId: string, interval: string): Promise<void> {
  await applyWork(environmentId, systemActor, async (unit) => {
    const stream = await findStream(environmentId, organizationId);
    if (stream === undefined) return;
    const positions = { ...(stream.positions as Positions), [interval]: { count: 0 } };
    unit.stage(streams.revise(stream, { positions }).write);
  });
}
