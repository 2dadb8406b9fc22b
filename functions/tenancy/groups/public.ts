/** The functions of groups for other areas: a group, its members, and changes of its roles. */
export { groupNotFound } from './group/errors.ts';
export { type FoundGroup, findGroupById, findGroupsById, listGroupsFor } from './group/find.ts';
export { listMemberRows } from './member/find.ts';
export { findSheet, type FoundSheet, MAX_GRANTS, stageGrants } from './sheet/stage.ts';
