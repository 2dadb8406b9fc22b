/**
 * The functions of the authorization model for other areas: resource types, permissions and roles. This area imports no
 * area that imports users or memberships, since both import it.
 */
export { type Model, ORGANIZATION_TYPE, type Permission, type ResourceType, type Role } from './model/compiled.ts';
export { loadModel } from './model/load.ts';
export { finishTypeRemoval, typeRemoval } from './model/removal.ts';
export { isUsableType } from './model/stage.ts';
export { holderCompletion } from './model/start.ts';
export { roleReplacement } from './role/removal.ts';
export { loadRoles, type OrganizationRoles } from './organization-role/load.ts';
export { permissionsOfRoles } from './model/compiled.ts';
export type { ModelPlan } from './document/schema.ts';
export { AuthorizationPermissionList, presentPermission } from './permission/schema.ts';
