import * as z from 'zod';

import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import { timestamp } from '../../../kernel/values.ts';
import type { DirectoryUserRecord } from '../user/entity.ts';
import { readNames } from '../user/schema.ts';
import type { SnapshotRecord } from './entity.ts';

/** Maximum parts of the text of a snapshot. */
const MAX_PARTS = 10;

const format = z.enum(['csv', 'ndjson']);

export const DirectorySnapshot = z
  .object({
    object: z.literal('directory_snapshot'),
    id: z.string(),
    directory_id: z.string(),
    organization_id: z.string(),
    state: z
      .enum(['uploading', 'pending', 'applying', 'completed', 'rejected', 'failed'])
      .describe(
        '`rejected` if more users would leave than `max_leavers_percent`, `failed` if the text is not valid; in both cases nothing was ' +
          'changed. A snapshot in progress is also `failed` if its directory is disabled or deleted, or if another snapshot ' +
          'replaces it; users that were already applied then stay changed.',
      ),
    format,
    dry_run: z.boolean(),
    max_leavers_percent: z.int(),
    parts: z.int(),
    received_parts: z.array(z.int()),
    difference: z
      .object({
        users: z.int(),
        created: z.int(),
        changed: z.int(),
        unchanged: z.int(),
        leavers: z.int(),
        losing_access: z.int().describe('The leavers who are members of the organization because of this directory.'),
      })
      .nullable(),
    applied: z.int().describe('The number of users of the snapshot that have been applied.'),
    errors: z
      .array(z.object({ line: z.int(), message: z.string() }))
      .describe('At most 100 errors. `line` is 0 for an error of the snapshot as a whole.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'DirectorySnapshot' });

const content = z.string().min(1);

export const CreateSnapshot = z
  .object({
    format,
    content: content
      .optional()
      .describe('The text of the snapshot, or its first part. If it is absent, send the text in parts.'),
    parts: z.int().min(1).max(MAX_PARTS).default(1).describe('The number of parts of the text.'),
    dry_run: z
      .boolean()
      .default(false)
      .describe('True if only the difference and the leavers are computed, and nothing is changed.'),
    max_leavers_percent: z
      .int()
      .min(0)
      .max(100)
      .default(20)
      .describe(
        'The snapshot is rejected if more than this percentage of the active users of the directory are leavers.',
      ),
  })
  .meta({ id: 'CreateDirectorySnapshotDto' });

export const SnapshotPart = z
  .object({ content: content.describe('The text of this part. A part that was sent before is replaced.') })
  .meta({ id: 'DirectorySnapshotPartDto' });

export const SnapshotList = listSchema(DirectorySnapshot).meta({ id: 'DirectorySnapshotList' });
export const ListSnapshots = z.object(pageMembers('directory_snapshot'));

const SnapshotLeaver = z
  .object({
    object: z.literal('directory_snapshot_leaver'),
    id: z.string().describe('The id of the directory user.'),
    idp_id: z.string(),
    username: z.string(),
    email: z.string().nullable(),
    name: z.string().nullable(),
    loses_access: z.boolean().describe('Whether the user is a member of the organization because of this directory.'),
  })
  .meta({ id: 'DirectorySnapshotLeaver' });

export const LeaverList = listSchema(SnapshotLeaver).meta({ id: 'DirectorySnapshotLeaverList' });
export const ListLeavers = z.object(pageMembers('directory_user', 'asc'));

/** A snapshot as callers see it. */
export const presentSnapshot = (record: SnapshotRecord): z.input<typeof DirectorySnapshot> => ({
  object: 'directory_snapshot',
  id: record.id,
  directory_id: record.directoryId,
  organization_id: record.organizationId,
  state: record.state,
  format: record.format,
  dry_run: record.isDryRun,
  max_leavers_percent: record.maxLeaversPercent,
  parts: record.parts,
  received_parts: Object.keys(record.received).map(Number),
  difference:
    record.difference === undefined
      ? null
      : {
          users: record.difference.users,
          created: record.difference.created,
          changed: record.difference.changed,
          unchanged: record.difference.unchanged,
          leavers: record.difference.leavers,
          losing_access: record.difference.losingAccess,
        },
  applied: record.applied,
  errors: record.errors,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});

/** A leaver as callers see it; `id` is the id of the user's row, by which the list continues. */
export interface Leaver {
  id: string;
  user: DirectoryUserRecord;
  losesAccess: boolean;
}

export const presentLeaver = ({ id, user, losesAccess }: Leaver): z.input<typeof SnapshotLeaver> => ({
  object: 'directory_snapshot_leaver',
  id: user.userId ?? id,
  idp_id: user.externalId ?? id,
  username: user.userName,
  email: user.email ?? null,
  name: readNames(user.resource).full,
  loses_access: losesAccess,
});
