import * as z from 'zod';

import { timestampInput } from '../../kernel/values.ts';

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
  .object({ organization_id: z.string(), event: Event })
  .meta({ id: 'AuditLogEventIngestionDto' });
export type IngestEvent = z.output<typeof IngestEvent>;

export const EventCreated = z.object({ success: z.boolean() }).meta({ id: 'AuditLogEventCreateResponse' });

/** Maximum bytes of an event as stored, which with its keys stays below the service's limit of 300 KB for a row. */
export const MAX_EVENT_BYTES = 262_144;
