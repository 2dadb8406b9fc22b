/** The functions of authorization for other areas. */
export { hasOperatorPermission } from './check/operator.ts';
export { findMembershipRights, type MembershipRights, type PlaceRights } from './check/rights.ts';
export { findSubject, stageAssignment, stageRemoval } from './assignment/change.ts';
export { stageResource } from './resource/change.ts';
