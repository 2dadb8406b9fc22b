import * as z from 'zod';

import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import { isPathText, NOT_PATH_TEXT, timestamp } from '../../../kernel/values.ts';
import type { ActionRecord, SchemaRecord } from './entity.ts';
import { type EventSchema, MetadataSchema } from './rules.ts';

/** An action's name: no spaces, and no characters that cannot be displayed or stored in a file. */
export const actionName = z
  .string()
  .regex(/^[^\s\p{C}]{1,255}$/u, 'must be 1 to 255 characters without spaces, such as user.signed_in')
  .refine(isPathText, NOT_PATH_TEXT);

/** Maximum bytes of a schema as JSON, because the row of its action repeats it. */
export const MAX_SCHEMA_BYTES = 65_536;

/** The API reference describes any object here, because an invalid schema is reported member by member. */
const metadataSchema = z.record(z.string(), z.unknown()).superRefine((value, context) => {
  for (const { path, message } of MetadataSchema.safeParse(value).error?.issues ?? []) {
    context.addIssue({ code: 'custom', path: [...path], message, params: { code: 'unsupported_schema' } });
  }
});

const ActorSchema = z.object({ metadata: metadataSchema }).meta({ id: 'AuditLogSchemaActorDto' });

const TargetSchema = z
  .object({ type: z.string().min(1).max(255), metadata: metadataSchema.optional() })
  .meta({ id: 'AuditLogSchemaTargetDto' });

const noTypeTwice = (targets: readonly { type: string }[]): boolean =>
  new Set(targets.map(({ type }) => type)).size === targets.length;

export const CreateSchema = z
  .object({
    actor: ActorSchema.optional().describe('The schema of the metadata of the actor.'),
    targets: z
      .array(TargetSchema)
      .min(1)
      .max(50)
      .refine(noTypeTwice, 'names a type twice')
      .describe('The types of targets that an event of this action has, each with the schema of its metadata.'),
    metadata: metadataSchema.optional().describe('The JSON Schema of the metadata of the event.'),
  })
  .meta({ id: 'AuditLogSchemaDto' });

const anything = z.record(z.string(), z.unknown());

export const Schema = z
  .object({
    object: z.literal('audit_log_schema'),
    version: z.int(),
    actor: z.object({ metadata: anything }).optional(),
    targets: z.array(z.object({ type: z.string(), metadata: anything.optional() })),
    metadata: anything.optional(),
    created_at: timestamp,
  })
  .meta({ id: 'AuditLogSchemaJson' });

export const Action = z
  .object({
    object: z.literal('audit_log_action'),
    name: z.string(),
    schema: Schema,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'AuditLogActionJson' });

export const ActionList = listSchema(Action);
export const SchemaList = listSchema(Schema);

export const ListActions = z.object(pageMembers('ala', 'normal'));
export const ListSchemas = z.object(pageMembers('als', 'normal'));

/** A stored schema as callers see it. */
export function presentSchema(
  record: Pick<SchemaRecord, 'schemaVersion' | 'createdAt' | 'body'>,
): z.input<typeof Schema> {
  const { actor, targets, metadata } = JSON.parse(record.body) as EventSchema;
  return {
    object: 'audit_log_schema',
    version: record.schemaVersion,
    ...(actor && { actor }),
    targets,
    ...(metadata && { metadata }),
    created_at: record.createdAt,
  };
}

/** A stored action as callers see it, with its newest schema. */
export function presentAction(record: ActionRecord): z.input<typeof Action> {
  const { latestVersion: schemaVersion, latestAt: createdAt, latestBody: body } = record;
  return {
    object: 'audit_log_action',
    name: record.name,
    schema: presentSchema({ schemaVersion, createdAt, body }),
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}
