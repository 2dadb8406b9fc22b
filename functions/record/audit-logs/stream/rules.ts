import { MINUTE_MS } from '../../../kernel/durations.ts';
import type { EvidenceRow } from '../evidence/row.ts';

/** The target of a log stream, without its secrets. */
export type Target =
  | { type: 'S3'; bucket: string; region: string; prefix: string; endpoint?: string | undefined; accessKeyId: string }
  | { type: 'GenericHttps'; url: string }
  | { type: 'Datadog'; url: string }
  | { type: 'Splunk'; url: string };

/** An event in the form that streams send. */
export interface StreamedEvent {
  id: string;
  organization_id: string;
  action: string;
  occurred_at: string;
  version: number;
  actor: unknown;
  targets: unknown;
  context: unknown;
  metadata: unknown;
  received_at: string;
}

export function streamedEvent(organizationId: string, row: EvidenceRow): StreamedEvent {
  return {
    id: row.id,
    organization_id: organizationId,
    action: row.action,
    occurred_at: row.occurredAt,
    version: Number(row.version),
    actor: JSON.parse(row.actor) as unknown,
    targets: JSON.parse(row.targets) as unknown,
    context: JSON.parse(row.context) as unknown,
    metadata: JSON.parse(row.metadata) as unknown,
    received_at: row.receivedAt,
  };
}

/** Serializes a batch in the format of its receiver. */
export function renderBody(
  type: Target['type'],
  events: readonly StreamedEvent[],
): { body: string; contentType: string } {
  switch (type) {
    case 'GenericHttps':
      return { body: JSON.stringify({ object: 'list', data: events }), contentType: 'application/json' };
    // The format is documented at https://docs.datadoghq.com/api/latest/logs/#send-logs.
    case 'Datadog':
      return { body: JSON.stringify(events.map(datadogLog)), contentType: 'application/json' };
    // Splunk's HTTP Event Collector takes concatenated JSON objects.
    case 'Splunk':
      return {
        body: events.map((event) => JSON.stringify(splunkEvent(event))).join('\n'),
        contentType: 'application/json',
      };
    case 'S3':
      return {
        body: events.map((event) => `${JSON.stringify(event)}\n`).join(''),
        contentType: 'application/x-ndjson',
      };
  }
}

const datadogLog = (event: StreamedEvent) => ({
  ddsource: 'gatehouse',
  service: 'audit-logs',
  ddtags: `organization_id:${event.organization_id}`,
  message: event.action,
  timestamp: Date.parse(event.occurred_at),
  event,
});

const splunkEvent = (event: StreamedEvent) => ({
  time: Date.parse(event.occurred_at) / 1_000,
  source: 'gatehouse:audit-logs',
  sourcetype: '_json',
  event,
});

/**
 * The object key of a batch in a customer's bucket, which begins with the hour of its first event, so that one prefix is
 * one hour.
 */
export function objectKey(prefix: string, events: readonly StreamedEvent[]): string {
  const [first] = events;
  const hour = (first?.received_at ?? '').slice(0, 13).replace('T', '/').replaceAll('-', '/');
  return `${prefix}${first?.organization_id ?? ''}/${hour}/${first?.id ?? ''}.jsonl`;
}

const BACK_OFF_MS = [5_000, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS, 60 * MINUTE_MS];

/**
 * The wait in ms after a number of consecutive failures: from 5 s to an hour, randomized by 20 % so that streams that
 * failed together do not retry together.
 * @param dice between 0 and 1
 */
export function backOffAfter(failures: number, dice: number): number {
  const wait = BACK_OFF_MS[Math.min(failures, BACK_OFF_MS.length) - 1] ?? MINUTE_MS;
  return Math.round(wait * (0.8 + 0.4 * dice));
}

/** Number of consecutive failures after which a stream's state is `error`; attempts continue. */
const ERROR_AFTER = 3;

/** The state of a stream after a failure: `invalid` if the receiver rejects the credentials. */
export function stateAfter(failures: number, status: number | null): 'active' | 'error' | 'invalid' {
  if (status === 401 || status === 403) return 'invalid';
  return failures >= ERROR_AFTER ? 'error' : 'active';
}

/** The position of delivery within an hour. */
export interface Position {
  /** The id of the last delivered event; absent before the first. */
  after?: string | undefined;
  /** The number of delivered events. */
  count: number;
  /** True if the position is in the sealed segment, which never changes; false if it is in the rows of an open hour. */
  sealed?: boolean | undefined;
}

/** Positions by interval, oldest first; hours before `from` are done. */
export type Positions = Readonly<Record<string, Position>>;

/** Maximum events of one request. */
export const BATCH_EVENTS = 500;
export const BATCH_BYTES = 1_000_000;
