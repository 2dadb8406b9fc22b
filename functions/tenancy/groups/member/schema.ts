import * as z from 'zod';

import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import { timestamp } from '../../../kernel/values.ts';
import type { OrganizationMembershipRecord } from '../../modules/memberships/public.ts';
import { presentUser, User, type UserRecord } from '../../modules/users/public.ts';

export const CreateGroupMembership = z
  .object({ organization_membership_id: z.string().min(1).max(255) })
  .meta({ id: 'CreateGroupMembershipDto' });

const GroupMember = z.object({
  object: z.literal('organization_membership'),
  id: z.string(),
  user_id: z.string(),
  organization_id: z.string(),
  status: z.enum(['active', 'inactive', 'pending']),
  directory_managed: z.boolean(),
  organization_name: z.string().optional(),
  custom_attributes: z.record(z.string(), z.unknown()).optional(),
  created_at: timestamp,
  updated_at: timestamp,
  user: User,
});

export const GroupMemberList = listSchema(GroupMember).meta({ id: 'UserlandUserOrganizationMembershipBaseList' });

export const ListGroupMembers = z.object(pageMembers('om', 'normal'));

/** A member of a group as callers see it: a membership without its roles. */
export const presentGroupMember = (
  { membership: record, user }: { membership: OrganizationMembershipRecord; user: UserRecord },
  organizationName: string,
): z.output<typeof GroupMember> => ({
  object: 'organization_membership',
  id: record.id,
  user_id: record.userId,
  organization_id: record.organizationId,
  status: record.status,
  directory_managed: record.directoryManaged,
  organization_name: organizationName,
  custom_attributes: (record.customAttributes ?? {}) as Record<string, unknown>,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
  user: presentUser(user),
});
