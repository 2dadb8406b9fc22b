/** Roles by the groups of an identity provider or directory: the list that an administrator sets, and what it gives. */
export { GroupRole, type GroupRoles, rolesOfGroups } from './rules.ts';
