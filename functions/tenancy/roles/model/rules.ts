/**
 * Limits of a model. They apply to additions by callers, and exceeding one is an invalid request whose error contains the
 * number.
 */
export const MAX_TYPES = 50;
/** Maximum number of levels of types below `organization`. */
export const MAX_DEPTH = 10;
/** Maximum number of permissions of an environment, without those of the service. */
export const MAX_PERMISSIONS = 1_000;
export const MAX_ENVIRONMENT_ROLES = 200;
export const MAX_ORGANIZATION_ROLES = 100;
export const MAX_ROLE_PERMISSIONS = 250;
