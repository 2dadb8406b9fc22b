import * as z from 'zod';

import { timestamp } from '../../kernel/values.ts';
import type { UserRecord } from '../user/entity.ts';
import { presentUser, User } from '../user/schema.ts';
import type { OrganizationMembershipRecord } from './entity.ts';

const SlimRole = z.object({ slug: z.string() }).meta({ id: 'SlimRole' });

export const OrganizationMembership = z
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
    role: SlimRole,
    roles: z.array(SlimRole),
    user: User,
  })
  .meta({ id: 'UserlandUserOrganizationMembership' });

/** A membership as callers see it. */
export type WireMembership = z.output<typeof OrganizationMembership>;

/** What events tell of a membership: neither the user nor the organization's name, which have events of their own. */
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
