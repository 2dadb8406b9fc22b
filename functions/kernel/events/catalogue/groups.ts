import * as z from 'zod';
import type { EventFamily } from './family.ts';
import { text, textOrNull, timestamp } from './values.ts';

/** A group of an organization's members. */
export const Group = z.object({
  object: z.literal('group'),
  id: text,
  organization_id: text,
  name: text,
  description: textOrNull,
  created_at: timestamp,
  updated_at: timestamp,
});

const GroupMember = z.object({ group_id: text, organization_membership_id: text });

/** Groups and their members. */
export const groupEvents = {
  'group.created': { data: Group, subscribable: true },
  'group.deleted': { data: Group, subscribable: true },
  'group.member_added': { data: GroupMember, subscribable: true },
  'group.member_removed': { data: GroupMember, subscribable: true },
  'group.updated': { data: Group, subscribable: true },
} as const satisfies EventFamily<'group.'>;
