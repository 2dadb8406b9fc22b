/** The functions of users for other modules: their records, and the changes of them that a unit of work stages. */
export {
  findUser,
  findUsersById,
  getUserByEmail,
  getUserByExternalId,
  hasProvedAddress,
  listUsers,
  findUserConstantReads,
} from './user/find.ts';
export type { UserRecord } from './user/entity.ts';
export {
  touchUserVersion,
  userExistsCheck,
  makeRemoval,
  invalidatePendingCredentials,
  stageUser,
  stageUserChange,
} from './user/stage.ts';
export { userNotFound } from './user/errors.ts';
export { composeNotice } from './user/notice.ts';
export { presentUser, User } from './user/schema.ts';
export { UpdateUserManagementSettings, userManagementSettings } from './settings.ts';
