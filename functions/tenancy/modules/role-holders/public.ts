/**
 * The rows by which the holders of a role are found, for the areas that write them. This module imports no area, so
 * that roles, memberships, groups and authorization can all import it.
 */
export {
  countHolders,
  holdersInEnvironment,
  isRoleOfGroup,
  listHolders,
  organizationResourceId,
  presenceOfHolder,
  recordHolder,
  removeHolder,
  type RoleHolder,
} from './holder/entity.ts';
export {
  getSheet,
  grantsIn,
  type GroupGrant,
  type GroupKey,
  type GroupSheetRecord,
  readSheets,
  removalOfSheet,
  rolesAtOrganization,
  type RolePlace,
  sameSheet,
  writeSheet,
} from './group-sheet/entity.ts';
