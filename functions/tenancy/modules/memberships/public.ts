/** The functions of memberships for other modules: the users of an organization, and their roles. */
export { stageMembership, stageMembershipChange, stageMembershipEnd } from './organization-membership/stage.ts';
export { presenceOfMembership, type OrganizationMembershipRecord } from './organization-membership/entity.ts';
export { wasMembershipEnded } from './organization-membership/ended.ts';
export { eraseUser } from './organization-membership/erasure.ts';
export {
  findMembershipById,
  findMemberships,
  findMembershipsById,
  findMembership,
  findUserMemberships,
  usersOfOrganization,
} from './organization-membership/find.ts';
export {
  effectiveRoles,
  givenRoles,
  type MembershipRoles,
  rolesOfMemberships,
  sortRoles,
} from './organization-membership/roles.ts';
export { membershipPayload, presentMembership } from './organization-membership/schema.ts';
