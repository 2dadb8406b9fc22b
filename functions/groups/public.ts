/** The functions of groups for other areas: the roles of groups for a check, their changes, and their members. */
export { findGroupById } from './group/find.ts';
export { listMemberIds } from './member/ids.ts';
export { type GroupGrant, readSheets } from './sheet/entity.ts';
export { findSheet, stageGrants } from './sheet/stage.ts';
