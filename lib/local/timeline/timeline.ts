import { randomUUID } from 'node:crypto';

import { EVENT_ROW } from '../../../functions/kernel/events/entity.ts';
import { RELAYED_ROWS } from '../../../functions/kernel/events/relayed.ts';
import { MESSAGE_ROW } from '../../../functions/kernel/messages/entity.ts';
import { TAGS } from '../../../functions/outbound/messages/feedback/report.ts';
import type { CapturedMessage } from '../messages/outbox.ts';
import type { Trace, TracedAttempt, TracedDelivery, TracedEvent, TracedResponse } from './trace.ts';
import { listWrittenRows, type WrittenRow } from './written-rows.ts';

const DELIVERY_ROW = 'webhook-delivery';
const ENDPOINT_ROW = 'webhook-endpoint';

/** Maximum number of traces that are kept, the newest. */
export const MOST_TRACES = 200;

/** The options of a timeline. */
export interface TimelineOptions {
  /** The local time (ISO 8601). */
  timestamp: () => string;
}

/** The invocation of a function, with the request or work that caused it. */
export interface Caused {
  functionName: string;
  cause?: Trace | undefined;
}

/**
 * Requests with the events, mails, texts and deliveries that followed from them. A row that a function writes belongs to the
 * request of its invocation; an event that the bus delivers, and a message that a queue delivers, to the request that wrote
 * its row. It reads nothing: it observes each successful write of the table, and each captured message. It is kept in
 * memory.
 */
export class Timeline {
  readonly #options: TimelineOptions;
  readonly #traces = new Set<Trace>();
  readonly #byRow = new Map<string, Trace>();
  /** Captured messages whose row is not known yet, with the trace that shows them until then. */
  readonly #unjoined = new Map<string, { message: CapturedMessage; trace: Trace }>();
  readonly #urls = new Map<string, string>();
  readonly #listeners = new Set<() => void>();
  #made = 0;
  #revision = 0;
  #epoch = randomUUID();

  constructor(options: TimelineOptions) {
    this.#options = options;
  }

  /** The name of the time since the last reset, within which revisions count. */
  get epoch(): string {
    return this.#epoch;
  }

  get revision(): number {
    return this.#revision;
  }

  /** The traces, the newest first. @param since only those that changed after this revision */
  list(since = -1): Trace[] {
    return [...this.#traces].filter(({ revision }) => revision > since).toSorted((one, other) => other.key - one.key);
  }

  /** Finds the listed trace of a message. */
  findByMessage(messageId: string): Trace | undefined {
    return this.list().find(({ messages }) => messages.some(({ id }) => id === messageId));
  }

  /** Calls a listener after each change, until the returned function is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Begins a trace, which is listed when its request ends or when something follows from it. */
  begin(origin: Partial<Pick<Trace, 'request' | 'worker' | 'at'>>): Trace {
    this.#made += 1;
    return {
      key: this.#made,
      revision: 0,
      at: this.#options.timestamp(),
      request: undefined,
      worker: undefined,
      response: undefined,
      events: [],
      messages: [],
      deliveries: [],
      rows: [],
      ...origin,
    };
  }

  /** Adds the response to a request. @param isListed false for a request that is only listed with what follows from it */
  end(trace: Trace, response: TracedResponse, isListed: boolean): void {
    trace.response = response;
    if (isListed || this.#traces.has(trace)) this.#change(trace);
  }

  /** The trace that wrote one of the rows which an event of a source names. */
  findCause(ids: readonly unknown[]): Trace | undefined {
    return ids.map((id) => this.#byRow.get(String(id))).find((trace) => trace !== undefined);
  }

  /** Notes the rows of a successful write of the table. */
  observe(input: object, invocation: Caused | undefined): void {
    for (const row of listWrittenRows(input)) {
      const id = String(row.read('id'));
      if (row.entity === DELIVERY_ROW) this.#noteDelivery(row);
      else if (row.entity === ENDPOINT_ROW) this.#urls.set(id, String(row.read('url')));
      else if (RELAYED_ROWS.includes(row.entity)) this.#noteRelayed(row, id, invocation);
    }
  }

  #noteRelayed(row: WrittenRow, id: string, invocation: Caused | undefined): void {
    const known = this.#byRow.get(id);
    if (known === undefined && invocation !== undefined) {
      invocation.cause ??= this.begin({ worker: invocation.functionName });
      const { cause } = invocation;
      this.#byRow.set(id, cause);
      cause.rows.push(id);
      if (row.entity === EVENT_ROW) {
        cause.events.push(readEvent(row, id));
        this.#change(cause);
      }
    }
    if (row.entity === MESSAGE_ROW) this.#join(String(row.read('providerId')), this.#byRow.get(id));
  }

  #noteDelivery(row: WrittenRow): void {
    const delivery = readDelivery(row);
    const trace = this.#byRow.get(delivery.eventId);
    if (trace === undefined) return;
    const at = trace.deliveries.findIndex(
      ({ id, endpointId }) => id === delivery.id && endpointId === delivery.endpointId,
    );
    delivery.url = this.#urls.get(delivery.endpointId);
    if (at === -1) trace.deliveries.push(delivery);
    else trace.deliveries[at] = delivery;
    this.#change(trace);
  }

  /** Adds a message that was just captured. A text has no tag, so its row is known only when it has the id of the sending. */
  capture(message: CapturedMessage): void {
    const known = this.#byRow.get(message.tags[TAGS.message] ?? '');
    const trace = known ?? this.begin({});
    trace.messages.push(message);
    if (known === undefined) this.#unjoined.set(message.sending_id, { message, trace });
    this.#change(trace);
  }

  #join(sendingId: string, trace: Trace | undefined): void {
    const unjoined = this.#unjoined.get(sendingId);
    if (unjoined === undefined || trace === undefined) return;
    this.#unjoined.delete(sendingId);
    this.#remove(unjoined.trace);
    trace.messages.push(unjoined.message);
    this.#change(trace);
  }

  /** Adds what an earlier process has stored, each event and message as a separate trace. */
  load(events: readonly TracedEvent[], messages: readonly CapturedMessage[]): void {
    const traces = this.list();
    const knownMessages = new Set(traces.flatMap((trace) => trace.messages.map(({ id }) => id)));
    const stored = [
      ...events.filter(({ id }) => !this.#byRow.has(id)).map((event) => ({ at: event.at, event })),
      ...messages.filter(({ id }) => !knownMessages.has(id)).map((message) => ({ at: message.created_at, message })),
    ].toSorted((one, other) => (one.at < other.at ? 1 : -1));
    for (const [index, { at, ...own }] of stored.slice(0, MOST_TRACES - traces.length).entries()) {
      // Keys below those of this process, so that it is listed after everything that this process did.
      const trace: Trace = { ...this.begin({ at }), key: -1 - index, revision: this.#revision };
      if ('event' in own) {
        trace.events.push(own.event);
        trace.rows.push(own.event.id);
        this.#byRow.set(own.event.id, trace);
      } else trace.messages.push(own.message);
      this.#traces.add(trace);
    }
  }

  /** Empties the timeline, as a reset does with the data. */
  clear(): void {
    this.#traces.clear();
    this.#byRow.clear();
    this.#unjoined.clear();
    this.#urls.clear();
    this.#epoch = randomUUID();
    this.#notify();
  }

  #change(trace: Trace): void {
    this.#revision += 1;
    trace.revision = this.#revision;
    this.#traces.add(trace);
    if (this.#traces.size > MOST_TRACES) this.#removeOldest();
    this.#notify();
  }

  #removeOldest(): void {
    let oldest: Trace | undefined;
    for (const trace of this.#traces) if (oldest === undefined || trace.key < oldest.key) oldest = trace;
    if (oldest !== undefined) this.#remove(oldest);
  }

  #remove(trace: Trace): void {
    this.#traces.delete(trace);
    for (const id of trace.rows) this.#byRow.delete(id);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

const parseJson = (text: unknown): unknown => (typeof text === 'string' ? (JSON.parse(text) as unknown) : undefined);

const readEvent = ({ read }: WrittenRow, id: string): TracedEvent => ({
  id,
  name: String(read('name')),
  at: String(read('createdAt')),
  data: parseJson(read('data')),
  context: parseJson(read('context')),
});

const readAttempt = ({
  number = 0,
  startedAt = '',
  durationMs = 0,
  ...own
}: Partial<TracedAttempt>): TracedAttempt => ({
  number,
  startedAt,
  durationMs,
  status: own.status ?? null,
  error: own.error ?? null,
  response: own.response ?? null,
});

const readDelivery = ({ read }: WrittenRow): TracedDelivery => ({
  id: String(read('id')),
  endpointId: String(read('endpointId')),
  eventId: String(read('eventId')),
  eventName: String(read('eventName')),
  state: String(read('state')),
  attempts: (read('attempts') as readonly Partial<TracedAttempt>[]).map(readAttempt),
  nextAttemptAt: read('nextAttemptAt') as string | undefined,
});
