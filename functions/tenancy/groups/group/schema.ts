import * as z from 'zod';

import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import { searchText } from '../../../kernel/search-text.ts';
import { timestamp } from '../../../kernel/values.ts';
import type { GroupRecord } from './entity.ts';

const name = z
  .string()
  .trim()
  .min(1)
  .max(256)
  .describe('The name. Several groups of an organization may have the same name.');
const description = z.string().max(150).nullable().optional();

export const CreateGroup = z.object({ name, description }).meta({ id: 'CreateGroupDto' });

export const UpdateGroup = z.object({ name: name.optional(), description }).meta({ id: 'UpdateGroupDto' });

export const Group = z
  .object({
    object: z.literal('group'),
    id: z.string(),
    organization_id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Group' });

export const GroupList = listSchema(Group).meta({ id: 'GroupList' });

export const ListGroups = z.object({
  ...pageMembers('group'),
  search: searchText
    .optional()
    .describe('Matches the beginnings of words of the name; case and accents do not matter.'),
});

/** A stored group as callers see it. */
export const presentGroup = (record: GroupRecord): z.output<typeof Group> => ({
  object: 'group',
  id: record.id,
  organization_id: record.organizationId,
  name: record.name,
  description: record.description ?? null,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});
