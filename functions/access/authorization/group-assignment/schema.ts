import * as z from 'zod';

import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import { timestamp } from '../../../kernel/values.ts';
import type { GroupGrant } from '../../../tenancy/modules/role-holders/public.ts';
import { checkNaming, namingMembers, reference } from '../resource/schema.ts';

/** A role on a resource as a request names it; without a resource it is a role at the organization. */
const place = z
  .object({ role_slug: reference, ...namingMembers })
  .superRefine((body, context) => checkNaming(body, context, { isOptional: true }));

/** The parsed form of {@link place}. */
export type NamedPlace = z.output<typeof place>;

export const CreateGroupRoleAssignment = place.meta({ id: 'CreateGroupRoleAssignmentDto' });

export const DeleteGroupRoleAssignments = place.meta({ id: 'DeleteGroupRoleAssignmentsByCriteriaDto' });

export const ReplaceGroupRoleAssignments = z
  .object({ role_assignments: z.array(place.meta({ id: 'ReplaceGroupRoleAssignmentEntryDto' })).max(100) })
  .meta({ id: 'ReplaceGroupRoleAssignmentsDto' });

export const GroupRoleAssignment = z
  .object({
    object: z.literal('group_role_assignment'),
    id: z.string(),
    group_id: z.string(),
    role: z.object({ slug: z.string() }),
    resource: z.object({ id: z.string(), external_id: z.string(), resource_type_slug: z.string() }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'GroupRoleAssignment' });

export const GroupRoleAssignmentList = listSchema(GroupRoleAssignment).meta({ id: 'GroupRoleAssignmentList' });

export const ListGroupRoleAssignments = z.object(pageMembers('gra', 'normal'));

/** A role of a group on a resource, with the role's slug. */
export type GroupAssignment = GroupGrant & { groupId: string; roleSlug: string };

/** A role assignment of a group as callers see it; it never changes. */
export const presentGroupAssignment = (assignment: GroupAssignment): z.output<typeof GroupRoleAssignment> => ({
  object: 'group_role_assignment',
  id: assignment.id,
  group_id: assignment.groupId,
  role: { slug: assignment.roleSlug },
  resource: {
    id: assignment.resourceId,
    external_id: assignment.externalId,
    resource_type_slug: assignment.typeSlug,
  },
  created_at: assignment.createdAt,
  updated_at: assignment.createdAt,
});
