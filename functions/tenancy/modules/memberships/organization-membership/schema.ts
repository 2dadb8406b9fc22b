import * as z from 'zod';

import { commaSeparated, listSchema, pageMembers } from '../../../../kernel/pagination.ts';
import { timestamp } from '../../../../kernel/values.ts';
import { presentUser, User, type UserRecord } from '../../users/public.ts';
import type { OrganizationMembershipRecord } from './entity.ts';

const SlimRole = z.object({ slug: z.string() }).meta({ id: 'SlimRole' });

const status = z.enum(['active', 'inactive', 'pending']);

export const OrganizationMembership = z
  .object({
    object: z.literal('organization_membership'),
    id: z.string(),
    user_id: z.string(),
    organization_id: z.string(),
    status,
    directory_managed: z.boolean(),
    organization_name: z.string().optional(),
    custom_attributes: z.record(z.string(), z.unknown()).optional(),
    created_at: timestamp,
    updated_at: timestamp,
    role: SlimRole,
    roles: z.array(SlimRole),
    user: User,
  })
  .meta({ id: 'UserlandUserOrganizationMembership' });

export const OrganizationMembershipList = listSchema(OrganizationMembership).meta({
  id: 'UserlandUserOrganizationMembershipList',
});

const id = z.string().min(1).max(255);

/** The members that name one role, and several roles. */
const roleMembers = {
  role_slug: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('A role of the organization or of the environment. Default: the organization’s default role.'),
  role_slugs: z
    .array(z.string().min(1).max(255))
    .min(1)
    .max(20)
    .optional()
    .describe('Several roles. Send either these or `role_slug`.'),
};
const namesRolesOnce = ({ role_slug, role_slugs }: { role_slug?: unknown; role_slugs?: unknown }): boolean =>
  role_slug === undefined || role_slugs === undefined;
const eitherRole = { path: ['role_slugs'], message: 'cannot be given with role_slug' };

export const CreateOrganizationMembership = z
  .object({ user_id: id, organization_id: id, ...roleMembers })
  .refine(namesRolesOnce, eitherRole)
  .meta({ id: 'CreateUserlandUserOrganizationMembershipDto' });

export const UpdateOrganizationMembership = z
  .object({
    ...roleMembers,
    role_slug: roleMembers.role_slug.describe(
      'A role of the organization or of the environment. Without it and `role_slugs` the roles stay the same.',
    ),
  })
  .refine(namesRolesOnce, eitherRole)
  .meta({ id: 'UpdateUserlandUserOrganizationMembershipDto' });

export const ListOrganizationMemberships = z.object({
  ...pageMembers('om'),
  user_id: id.optional(),
  organization_id: id.optional(),
  statuses: commaSeparated(status).optional().describe('Only active memberships when absent.'),
});

/** A membership as callers see it. */
export type WireMembership = z.output<typeof OrganizationMembership>;

/** The event data of a membership, without the user and the organization's name, which have their own events. */
export function membershipPayload(record: OrganizationMembershipRecord) {
  const roles = record.roles.map((slug) => ({ slug }));
  return {
    object: 'organization_membership' as const,
    id: record.id,
    user_id: record.userId,
    organization_id: record.organizationId,
    status: record.status,
    directory_managed: record.directoryManaged,
    custom_attributes: (record.customAttributes ?? {}) as Record<string, unknown>,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    role: roles[0] ?? { slug: '' },
    roles,
  };
}

/** A stored membership as callers see it. */
export const presentMembership = (
  record: OrganizationMembershipRecord,
  user: UserRecord,
  organizationName: string,
): WireMembership => ({
  ...membershipPayload(record),
  organization_name: organizationName,
  user: presentUser(user),
});
