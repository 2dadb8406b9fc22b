/** The functions of groups for other areas: the roles of groups, as a check reads them, their changes, and their members. */
export { groupNotFound } from './group/errors.ts';
export { type FoundGroup, findGroupById } from './group/find.ts';
export { listMemberIds } from './member/find.ts';
export { type GroupGrant, readSheets } from './sheet/entity.ts';
export { findSheet, type FoundSheet, MAX_GRANTS, stageGrants } from './sheet/stage.ts';
