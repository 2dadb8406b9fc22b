import * as z from 'zod';

import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import { timestamp } from '../../../kernel/values.ts';
import type { DirectoryGroupRecord } from './entity.ts';

export const DirectoryGroup = z
  .object({
    object: z.literal('directory_group'),
    id: z.string(),
    idp_id: z.string(),
    directory_id: z.string(),
    organization_id: z.string(),
    name: z.string(),
    raw_attributes: z.record(z.string(), z.unknown()).optional(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'DirectoryGroup' });

export const DirectoryGroupList = listSchema(DirectoryGroup).meta({ id: 'DirectoryGroupList' });

export const ListDirectoryGroups = z.object({
  ...pageMembers('directory_group', 'normal'),
  directory: z.string().min(1).max(255).optional(),
  user: z.string().min(1).max(255).optional(),
});

/** A group of a directory as callers and events see it. */
export const presentGroup = (record: DirectoryGroupRecord): z.output<typeof DirectoryGroup> => ({
  object: 'directory_group',
  id: record.id,
  idp_id: record.externalId ?? record.id,
  directory_id: record.directoryId,
  organization_id: record.organizationId,
  name: record.name,
  raw_attributes: JSON.parse(record.resource) as Record<string, unknown>,
  created_at: record.createdAt,
  updated_at: record.changedAt,
});
