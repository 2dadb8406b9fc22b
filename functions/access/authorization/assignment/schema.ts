import * as z from 'zod';

import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import { timestamp } from '../../../kernel/values.ts';
import { checkNaming, namingMembers, reference } from '../resource/schema.ts';
import { isAssignmentId } from './ids.ts';

export const AssignRole = z
  .object({ role_slug: reference, ...namingMembers })
  .superRefine((body, context) => checkNaming(body, context))
  .meta({ id: 'AssignRoleDto' });

export const RemoveRole = z
  .object({ role_slug: reference, ...namingMembers })
  .superRefine((body, context) => checkNaming(body, context))
  .meta({ id: 'RemoveRoleDto' });

const SlimRole = z.object({ slug: z.string() });

export const RoleAssignment = z
  .object({
    object: z.literal('role_assignment'),
    id: z.string(),
    organization_membership_id: z.string(),
    role: SlimRole,
    resource: z.object({ id: z.string(), external_id: z.string(), resource_type_slug: z.string() }),
    source: z.object({
      type: z.enum(['direct', 'group']),
      group_role_assignment_id: z.string().nullable(),
      group: z
        .object({ id: z.string(), name: z.string() })
        .nullable()
        .describe('The group that has the role; null for a role of the membership itself.'),
    }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'UserRoleAssignment' });

export const RoleAssignmentList = listSchema(RoleAssignment).meta({ id: 'UserRoleAssignmentList' });

const cursor = z
  .string()
  .refine(isAssignmentId, 'Expected an id such as role_assignment_01JX… from the response of a list')
  .optional();

const assignmentPage = { ...pageMembers('role_assignment'), before: cursor, after: cursor };

export const ListOfMembership = z
  .object({ ...assignmentPage, ...namingMembers })
  .superRefine((query, context) => checkNaming(query, context, { isOptional: true }));

export const ListOnResource = z.object({ ...assignmentPage, role_slug: reference.optional() });

/** A role of a membership on a resource, from any source. */
export interface Assignment {
  id: string;
  membershipId: string;
  roleSlug: string;
  resource: { id: string; externalId: string; typeSlug: string };
  /** The group through which the member has it, with the role assignment of the group. */
  group?: { groupId: string; groupRoleAssignmentId: string } | undefined;
  createdAt: string;
  updatedAt: string;
}

/**
 * A role assignment as callers see it.
 * @param groupName the name of the group that gives it; undefined if it was deleted a moment ago
 */
export const presentAssignment = (assignment: Assignment, groupName?: string): z.output<typeof RoleAssignment> => ({
  object: 'role_assignment',
  id: assignment.id,
  organization_membership_id: assignment.membershipId,
  role: { slug: assignment.roleSlug },
  resource: {
    id: assignment.resource.id,
    external_id: assignment.resource.externalId,
    resource_type_slug: assignment.resource.typeSlug,
  },
  source: {
    type: assignment.group === undefined ? 'direct' : 'group',
    group_role_assignment_id: assignment.group?.groupRoleAssignmentId ?? null,
    group:
      assignment.group === undefined || groupName === undefined
        ? null
        : { id: assignment.group.groupId, name: groupName },
  },
  created_at: assignment.createdAt,
  updated_at: assignment.updatedAt,
});
