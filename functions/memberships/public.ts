/** The functions of memberships for other modules: the users of an organization, and their roles. */
export { stageMembership, stageMembershipChange } from './organization-membership/stage.ts';
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
