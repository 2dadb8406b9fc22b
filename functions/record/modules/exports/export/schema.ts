import * as z from 'zod';

import { listSchema, pageMembers } from '../../../../kernel/pagination.ts';
import { timestamp } from '../../../../kernel/values.ts';
import type { ListExportRecord } from './entity.ts';
import { MAX_ROWS } from './rules.ts';
import { FORMATS } from './write.ts';
import { type Filter, LIST_NAMES, type ListName, LISTS, type ResourceType } from './lists.ts';

/** The prefix of the ids of exports. */
export const EXPORT_PREFIX = 'resource_export';

export const CreateResourceExport = z
  .object({
    list: z.enum(LIST_NAMES).describe('The list whose records are exported.'),
    filter: z
      .record(z.string().max(50), z.string().min(1).max(2_000))
      .default({})
      .describe('The filters of the list, by their names in the query of its operation; `user_id` for `sessions`.'),
    format: z.enum(FORMATS).default('csv').describe('`csv` for spreadsheets, `ndjson` for programs.'),
  })
  .meta({ id: 'ResourceExportCreation', example: { list: 'users', filter: {}, format: 'csv' } });

export const ResourceExport = z
  .object({
    object: z.literal('resource_export'),
    id: z.string(),
    list: z.enum(LIST_NAMES),
    resource_type: z
      .enum(Object.values(LISTS).map(({ resourceType }) => resourceType) as [ResourceType, ...ResourceType[]])
      .describe(
        'The kind of records that the events about this export name (`resource_export.created` and others). There are seven kinds, so for memberships and invitations it is `users` too.',
      ),
    filter: z.record(z.string(), z.string()).describe('The filters of the list with which the export was made.'),
    format: z.enum(FORMATS),
    state: z
      .enum(['pending', 'ready', 'failed', 'expired'])
      .describe('`expired` if its file was deleted, by its expiry or by the operator.'),
    rows: z.number().int().nullable().describe('The number of records in the file; null until it is ready.'),
    truncated: z
      .boolean()
      .describe(`True if the list has more than ${MAX_ROWS} records, of which the file has the oldest.`),
    failure: z.string().nullable().describe('The reason why it failed, with the next step.'),
    operator: z.object({ id: z.string(), name: z.string() }).describe('The operator who made it.'),
    expires_at: timestamp.nullable().describe('The time when its file is deleted.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'ResourceExport' });

export const ResourceExportList = listSchema(ResourceExport).meta({ id: 'ResourceExportList' });
export const ListResourceExports = z.object(pageMembers(EXPORT_PREFIX));

export const ResourceExportDownload = z
  .object({
    object: z.literal('resource_export_download'),
    export_id: z.string(),
    url: z.string().describe('The URL of the file. Anyone who has it can download the file until the URL expires.'),
    expires_at: timestamp,
  })
  .meta({ id: 'ResourceExportDownload' });

/** The state of an export at a time: a ready one expires at its time, whether or not its file is deleted yet. */
export const computeState = ({ state, endsAt }: ListExportRecord, now: string): ListExportRecord['state'] =>
  state === 'ready' && endsAt !== undefined && endsAt <= now ? 'expired' : state;

/** A stored export as operators see it. */
export function presentExport(record: ListExportRecord, now: string): z.input<typeof ResourceExport> {
  const list = record.list as ListName;
  return {
    object: 'resource_export',
    id: record.id,
    list,
    resource_type: LISTS[list].resourceType,
    filter: { ...(record.filter as Filter) },
    format: record.format,
    state: computeState(record, now),
    rows: record.rows ?? null,
    truncated: record.isTruncated === true,
    failure: record.failure ?? null,
    operator: { id: record.operatorId, name: record.operatorName },
    expires_at: record.endsAt ?? null,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

/** The data of an export's events. */
export const presentEvent = ({ id, list }: Pick<ListExportRecord, 'id' | 'list'>) => ({
  id,
  resource_type: LISTS[list as ListName].resourceType,
});

/** The metadata of the lines of an export in the operators' log. */
export const describeExport = ({ list, filter, format }: Pick<ListExportRecord, 'list' | 'filter' | 'format'>) => ({
  list,
  filter: JSON.stringify(filter),
  format,
});
