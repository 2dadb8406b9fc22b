/**
 * Limits of a model. Each limits what a caller adds; reaching one is an invalid request whose error gives the number.
 */
export const MAX_TYPES = 50;
/** Levels of types below `organization`. */
export const MAX_DEPTH = 10;
/** Permissions of an environment, without those of the service. */
export const MAX_PERMISSIONS = 1_000;
export const MAX_ENVIRONMENT_ROLES = 200;
export const MAX_ORGANIZATION_ROLES = 100;
export const MAX_ROLE_PERMISSIONS = 250;
