import * as z from 'zod';

import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import { timestamp } from '../../../kernel/values.ts';
import { User } from '../../../tenancy/modules/users/public.ts';
import { checkNaming, reference } from '../resource/schema.ts';

const Member = z
  .object({
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
  })
  .meta({ id: 'UserlandUserOrganizationMembershipBaseWithUser' });

export const MemberList = listSchema(Member).meta({ id: 'UserlandUserOrganizationMembershipBaseWithUserList' });

export const ListMembers = z.object({
  ...pageMembers('om'),
  permission_slug: reference,
  assignment: z
    .enum(['direct', 'indirect'])
    .default('direct')
    .describe(
      '`direct`: members with a role on this resource itself, their own or a group’s; `indirect`: all members with access.',
    ),
});

const parentMembers = {
  parent_resource_id: reference.optional(),
  parent_resource_type_slug: reference.optional(),
  parent_resource_external_id: reference.optional(),
};

export const ListAccessible = z
  .object({ ...pageMembers('authz_resource'), permission_slug: reference, ...parentMembers })
  .superRefine((query, context) => {
    const parent = {
      resource_id: query.parent_resource_id,
      resource_external_id: query.parent_resource_external_id,
      resource_type_slug: query.parent_resource_type_slug,
    };
    checkNaming(parent, context, { prefix: 'parent_', isOptional: true });
  });
