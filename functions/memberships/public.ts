/** What other modules may know of memberships: who belongs to which organization, in which roles. */
export { stageMembership, stageMembershipChange } from './organization-membership/stage.ts';
export { presenceOfMembership, type OrganizationMembershipRecord } from './organization-membership/entity.ts';
export { eraseUser } from './organization-membership/erasure.ts';
export {
  findMembershipById,
  findMembershipsById,
  membershipOf,
  membershipsOf,
  usersOfOrganization,
} from './organization-membership/find.ts';
export { type MembershipRoles, rolesOfMemberships, sortRoles } from './organization-membership/roles.ts';
export { presentMembership } from './organization-membership/schema.ts';
