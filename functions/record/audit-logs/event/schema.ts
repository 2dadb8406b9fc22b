import * as z from 'zod';

import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import { timestamp, timestampInput } from '../../../kernel/values.ts';
import type { EvidenceRow } from '../evidence/row.ts';

/** Metadata is flat, as in the contract: at most 50 texts of up to 500 characters, numbers and booleans. */
const metadata = z
  .record(
    z.string().regex(/^[a-zA-Z0-9_-]{0,40}$/, 'must be named by 0 to 40 letters, digits, _ or -'),
    z.union(
      [z.string().max(500), z.number(), z.boolean()],
      'must be a text of up to 500 characters, a number or a boolean',
    ),
  )
  .refine((members) => Object.keys(members).length <= 50, 'has more than 50 members')
  .meta({ maxProperties: 50 });

const text = z.string().min(1);

const Actor = z
  .object({ id: text, type: text, name: z.string().optional(), metadata: metadata.optional() })
  .meta({ id: 'AuditLogEventActorDto' });

const Target = z
  .object({ id: text, type: text, name: z.string().optional(), metadata: metadata.optional() })
  .meta({ id: 'AuditLogEventTargetDto' });

const Context = z
  .object({ location: z.string(), user_agent: z.string().optional() })
  .meta({ id: 'AuditLogEventContextDto' });

const Event = z
  .object({
    action: text,
    occurred_at: timestampInput,
    actor: Actor,
    targets: z.array(Target),
    context: Context,
    metadata: metadata.optional(),
    version: z.int().optional(),
  })
  .meta({ id: 'AuditLogEventDto' });

export const IngestEvent = z
  .object({ organization_id: z.string(), event: Event.describe('Who did what, to what, when and from where.') })
  .meta({ id: 'AuditLogEventIngestionDto' });
export type IngestEvent = z.output<typeof IngestEvent>;

export const EventCreated = z.object({ success: z.boolean() }).meta({ id: 'AuditLogEventCreateResponse' });

/** Maximum bytes of an event as stored, which with its keys stays below the service's limit of 300 KB for a row. */
export const MAX_EVENT_BYTES = 262_144;

const filter = z.string().min(1).max(500).optional();

export const ListEvents = z.object({
  ...pageMembers('audit_log_event'),
  organization_id: z.string().min(1).max(255).describe('The organization whose events are listed.'),
  action: filter.describe('The name of the action.'),
  actor_id: filter.describe('The id of the actor.'),
  target: filter.describe('The type or the id of a target.'),
  range_start: timestampInput.optional().describe('The time from which on the events were received.'),
  range_end: timestampInput.optional().describe('The time before which the events were received.'),
});

const RecordedEvent = z
  .object({
    object: z.literal('audit_log_event'),
    id: z.string(),
    action: z.string(),
    version: z.int().describe('The version of the schema of the action.'),
    actor: Actor,
    targets: z.array(Target),
    context: Context,
    metadata,
    occurred_at: timestamp,
    received_at: timestamp.describe('The time at which the service received the event.'),
  })
  .meta({ id: 'AuditLogRecordedEvent' });

export const RecordedEventList = listSchema(RecordedEvent).meta({ id: 'AuditLogRecordedEventList' });

/** A recorded event in the form of the API. */
export const presentRecordedEvent = (row: EvidenceRow): z.input<typeof RecordedEvent> => {
  const read = (text: string): never => JSON.parse(text) as never;
  return {
    object: 'audit_log_event',
    id: row.id,
    action: row.action,
    version: Number(row.version),
    actor: read(row.actor),
    targets: read(row.targets),
    context: read(row.context),
    metadata: read(row.metadata),
    occurred_at: row.occurredAt,
    received_at: row.receivedAt,
  };
};
