/**
 * Roles by the groups of an identity provider or directory: the list that an administrator sets, and the roles that follow
 * from it.
 */
export { GroupRole, type GroupRoles, rolesOfGroups } from './rules.ts';
