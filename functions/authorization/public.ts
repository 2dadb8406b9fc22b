/** The functions of authorization for other areas. */
export { findMembershipRights, type MembershipRights, type PlaceRights } from './check/rights.ts';
