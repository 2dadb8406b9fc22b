/** The public names of groups: their roles, as a check reads them, and the change of these. */
export { groupNotFound } from './group/errors.ts';
export { type FoundGroup, findGroupById } from './group/find.ts';
export { type GroupGrant, readSheets } from './sheet/entity.ts';
export { findSheet, type FoundSheet, MAX_GRANTS, stageGrants } from './sheet/stage.ts';
