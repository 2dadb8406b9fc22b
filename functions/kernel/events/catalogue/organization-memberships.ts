import * as z from 'zod';
import type { EventFamily } from './family.ts';
import { freeForm, RoleReference, text, timestamp } from './values.ts';

/** A user's membership in an organization. */
const OrganizationMembershipRecord = z.object({
  object: z.literal('organization_membership'),
  id: text,
  user_id: text,
  organization_id: text,
  status: z.enum(['active', 'inactive', 'pending']),
  role: RoleReference,
  roles: z.array(RoleReference).optional(),
  custom_attributes: freeForm,
  directory_managed: z.boolean(),
  created_at: timestamp,
  updated_at: timestamp,
});

/** Memberships of users in organizations. */
export const organizationMembershipEvents = {
  'organization_membership.created': { data: OrganizationMembershipRecord, subscribable: true },
  'organization_membership.deleted': { data: OrganizationMembershipRecord, subscribable: true },
  'organization_membership.updated': { data: OrganizationMembershipRecord, subscribable: true },
} as const satisfies EventFamily<'organization_membership.'>;
