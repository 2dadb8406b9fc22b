/** What other modules may know of memberships: who belongs to which organization, in which roles. */
export { stageMembership, stageMembershipChange } from './organization-membership/change.ts';
export type { OrganizationMembershipRecord } from './organization-membership/entity.ts';
export { eraseUser } from './organization-membership/erasure.ts';
export {
  findMembershipById,
  membershipOf,
  membershipsOf,
  usersOfOrganization,
} from './organization-membership/find.ts';
export { DEFAULT_ROLE, findRoles } from './organization-membership/roles.ts';
export { presentMembership } from './organization-membership/schema.ts';
