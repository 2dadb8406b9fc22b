/** What other areas may know of groups: their roles, as a check reads them, and how these are changed. */
export { groupNotFound } from './group/errors.ts';
export { type FoundGroup, findGroupById } from './group/find.ts';
export { type GroupGrant, readSheets } from './sheet/entity.ts';
export { findSheet, MAX_GRANTS, stageGrants } from './sheet/stage.ts';
export { listMemberIds } from './member/ids.ts';
