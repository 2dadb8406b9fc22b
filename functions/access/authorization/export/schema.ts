import * as z from 'zod';

/** The query of a page of an export. */
export const ExportPage = z.object({
  after: z.string().max(256).optional().describe('The `after` of the previous page.'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(1_000)
    .describe('A page contains whole records: it can have more entries than this, or fewer.'),
});

export const ExportedLines = z
  .object({
    object: z.literal('list'),
    data: z.array(z.record(z.string(), z.unknown())),
    list_metadata: z.object({ after: z.string().nullable() }),
  })
  .meta({ id: 'XAuthorizationExport' });
