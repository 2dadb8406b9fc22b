import type { CapturedMessage } from '../messages/outbox.ts';

/** An event that a request or a worker wrote. */
export interface TracedEvent {
  id: string;
  name: string;
  /** The time (ISO 8601), by the local clock. */
  at: string;
  data: unknown;
  context: unknown;
}

/** One attempt of a delivery, as its row has it. */
export interface TracedAttempt {
  number: number;
  startedAt: string;
  durationMs: number;
  status: number | null;
  error: string | null;
  response: string | null;
}

/** The delivery of an event to an endpoint, in its latest state. */
export interface TracedDelivery {
  id: string;
  endpointId: string;
  /** The address of the endpoint; absent until it is known. */
  url?: string | undefined;
  eventId: string;
  eventName: string;
  state: string;
  attempts: readonly TracedAttempt[];
  nextAttemptAt: string | undefined;
}

/** The response to a request. */
export interface TracedResponse {
  status: number;
  milliseconds: number;
  requestId: string;
  /** The error of a 4xx or 5xx response. */
  error: { code: string | undefined; message: string } | undefined;
}

/** A request, or work that no request started, with everything that followed from it. */
export interface Trace {
  /** The number of the trace in this process, 1 for the first. */
  key: number;
  /** The number of the latest change of any trace when this one changed. */
  revision: number;
  /** The time of its beginning (ISO 8601), by the local clock. */
  at: string;
  /** The method and the path without tokens; undefined for work. */
  request: { method: string; path: string } | undefined;
  /** The name of the function that did the work; undefined for a request, and for what an earlier process did. */
  worker: string | undefined;
  response: TracedResponse | undefined;
  events: TracedEvent[];
  messages: CapturedMessage[];
  deliveries: TracedDelivery[];
  /** The ids of the rows by which later work is joined to it. */
  rows: string[];
}

/** Reports whether anything followed from a request or work. */
export const hasEffects = ({ events, messages, deliveries }: Trace): boolean =>
  events.length + messages.length + deliveries.length > 0;

/** Reports whether a trace has an error, or a delivery that does not succeed. */
export const hasTrouble = ({ response, deliveries }: Trace): boolean =>
  (response?.status ?? 200) >= 400 ||
  deliveries.some(({ state, attempts }) => state !== 'succeeded' && attempts.length > 0);
