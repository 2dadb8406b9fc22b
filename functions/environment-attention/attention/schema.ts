import * as z from 'zod';

import { listSchema } from '../../kernel/pagination.ts';
import { type Attention, ATTENTION_KINDS, SEVERITIES } from './rules.ts';

export const AttentionItem = z
  .object({
    object: z.literal('attention'),
    kind: z.enum(ATTENTION_KINDS),
    severity: z
      .enum(SEVERITIES)
      .describe(
        '`problem`: something does not work; `warning`: it will stop; `notice`: it is not set up, or not used.',
      ),
    id: z.string().nullable().describe('The record; null for the environment itself.'),
    name: z
      .string()
      .nullable()
      .describe('The name, URL or address of the record; null for an operator who may not read it.'),
    organization_id: z.string().nullable(),
    time: z.string().nullable().describe('The time since which this is so, or the time of expiry.'),
    message: z.string(),
    source: z.string().describe('The path of the operation that shows the record.'),
  })
  .meta({ id: 'Attention' });

export const AttentionList = listSchema(AttentionItem)
  .extend({
    is_complete: z
      .boolean()
      .describe('False if there are more than 100 connections or directories: only the newest 100 were examined.'),
  })
  .meta({ id: 'AttentionList' });

/** Something that needs attention, as a response. */
export const presentAttention = (found: Attention): z.output<typeof AttentionItem> => ({
  object: 'attention',
  kind: found.kind,
  severity: found.severity,
  id: found.id ?? null,
  name: found.name ?? null,
  organization_id: found.organizationId ?? null,
  time: found.time ?? null,
  message: found.message,
  source: found.source,
});
