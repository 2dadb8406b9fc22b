import * as z from 'zod';

import { listSchema } from '../../../../kernel/pagination.ts';
import { type Attention, ATTENTION_KINDS, SEVERITIES } from './rules.ts';

export const AttentionItem = z
  .object({
    object: z.literal('attention'),
    kind: z.enum(ATTENTION_KINDS),
    severity: z
      .enum(SEVERITIES)
      .describe(
        '`problem`: something does not work; `warning`: it will stop working, or could not be examined; `notice`: for your information, such as something that is not set up, a suppressed address or a waiting proposal.',
      ),
    id: z
      .string()
      .nullable()
      .describe('The id of the record; null for the environment itself and for findings about the stage.'),
    name: z
      .string()
      .nullable()
      .describe(
        'The name, URL or address of the record, or the name of a finding about the stage; null for an address that an operator may not read, and for the environment itself.',
      ),
    organization_id: z.string().nullable(),
    time: z
      .string()
      .nullable()
      .describe(
        'The time since which this is so, the time of expiry, or that of the examination of the stage; null if it is not known.',
      ),
    message: z.string(),
    source: z
      .string()
      .describe(
        'The path of the operation that shows the record; for a finding about the stage, the program that found it.',
      ),
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
