import * as z from 'zod';

import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import { timestamp, timestampInput } from '../../../kernel/values.ts';
import type { ExportRecord } from './entity.ts';
import type { ExportFilter } from './filter.ts';

const items = z.array(z.string().max(500)).max(100).optional();

export const CreateExport = z
  .object({
    organization_id: z.string(),
    range_start: timestampInput,
    range_end: timestampInput,
    actions: items,
    /** The previous name of `actor_names`. */
    actors: items.meta({ deprecated: true }),
    actor_names: items,
    actor_ids: items,
    targets: items.describe('Only events with a target of one of these types or ids.'),
  })
  .refine(({ range_start, range_end }) => range_start < range_end, {
    path: ['range_end'],
    message: 'must be after range_start',
  })
  .meta({ id: 'AuditLogExportCreationDto' });

export const Export = z
  .object({
    object: z.literal('audit_log_export'),
    id: z.string(),
    state: z.enum(['pending', 'ready', 'error', 'expired']),
    url: z.string().nullable().optional(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'AuditLogExportJson' });

/** An export in the list of its organization, which names the range and has no URL. */
const ListedExport = z
  .object({ ...Export.omit({ url: true }).shape, range_start: timestamp, range_end: timestamp })
  .meta({ id: 'AuditLogListedExport' });

export const ExportList = listSchema(ListedExport).meta({ id: 'AuditLogExportList' });
export const ListExports = z.object({
  ...pageMembers('audit_log_export'),
  organization_id: z.string().min(1).max(255),
});

export const ExportProof = z
  .object({
    object: z.literal('audit_log_export_proof'),
    export_id: z.string(),
    /** The URL of a JSON Lines document for `npm run verify-export`. */
    url: z.string(),
    expires_at: timestamp,
  })
  .meta({ id: 'AuditLogExportProof' });

export const EvidenceKey = z
  .object({
    object: z.literal('audit_log_evidence_key'),
    /** The public key in PEM (RFC 7468). */
    public_key: z.string(),
    /** SHA-256 of the key's DER form, hex: what `npm run verify-export` prints. */
    sha256: z.string(),
    algorithm: z.literal('ES256'),
  })
  .meta({ id: 'AuditLogEvidenceKey' });

/** The filters of a request; an empty list is the same as no list. */
export function makeFilter(body: z.output<typeof CreateExport>): ExportFilter {
  const listOrNone = (...lists: (string[] | undefined)[]): string[] | undefined => {
    const all = lists.flatMap((list) => list ?? []);
    return all.length === 0 ? undefined : all;
  };
  return {
    actions: listOrNone(body.actions),
    actorNames: listOrNone(body.actor_names, body.actors),
    actorIds: listOrNone(body.actor_ids),
    targets: listOrNone(body.targets),
  };
}

/** The state of an export at a time: a ready one expires at its time, whether or not its files are deleted yet. */
export const computeState = ({ state, endsAt }: ExportRecord, now: string): z.output<typeof Export>['state'] =>
  state === 'ready' && endsAt !== undefined && endsAt <= now ? 'expired' : state;

/** A stored export as callers see it. */
export function presentExport(
  record: ExportRecord,
  state: z.output<typeof Export>['state'],
  url: string | null,
): z.input<typeof Export> {
  const { id, createdAt, updatedAt } = record;
  return { object: 'audit_log_export', id, state, url, created_at: createdAt, updated_at: updatedAt };
}

/** An export in a list. */
export const presentListedExport = (record: ExportRecord, now: string): z.input<typeof ListedExport> => {
  const { url: _url, ...presented } = presentExport(record, computeState(record, now), null);
  return { ...presented, range_start: record.rangeStart, range_end: record.rangeEnd };
};
