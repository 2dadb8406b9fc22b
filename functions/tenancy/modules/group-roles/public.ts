/**
 * Roles by the groups of an identity provider or directory: the list that an administrator configures, and the roles that
 * result from it.
 */
export { GroupRole, type GroupRoles, rolesOfGroups } from './rules.ts';
