import { log } from '../log.ts';
import { count } from '../metrics.ts';

/** Maximum bytes of the claim as JSON. A token with a larger one would not fit into the headers of requests. */
const MAX_PERMISSIONS_CLAIM_BYTES = 2_048;

/** The claims of a token about permissions. */
export interface PermissionsClaim {
  permissions?: readonly string[];
  /** Present and true if the permissions are omitted because they take too many bytes. */
  permissions_omitted?: true;
}

/**
 * The permissions of a token: all of them or none, since a missing permission would count as denied. If they take more than
 * 2,048 bytes as JSON, the token has `permissions_omitted` instead, which is logged and counted; no sign-in fails because
 * of it.
 */
export function permissionsClaim(permissions: readonly string[]): PermissionsClaim {
  const bytes = Buffer.byteLength(JSON.stringify(permissions));
  if (bytes <= MAX_PERMISSIONS_CLAIM_BYTES) return permissions.length === 0 ? {} : { permissions };
  log.warn('a token leaves the permissions out', { permissions: permissions.length, bytes });
  count({ permissions_omitted: { value: 1, unit: 'Count' } });
  return { permissions_omitted: true };
}
