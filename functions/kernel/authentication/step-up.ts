import { declareError } from '../errors.ts';
import { type RequiredPermission, requiredPermission } from './operator-permission.ts';

/** Milliseconds for which a proof of identity counts for operations that ask for a step-up: five minutes. */
export const STEP_UP_MS = 300_000;

/** The environments in which an operation asks an operator for a proof of identity of the last five minutes. */
export type StepUp = 'always' | 'production' | 'never';

/** Permissions whose acts cannot be undone, show or change a secret, or let the operator act as a user. */
const GRAVE: readonly RequiredPermission[] = ['secrets.write', 'secrets.reveal', 'destroy', 'people.impersonate'];
/** The paths of keys. */
const KEY_PATH = /\/api_keys(?:\/|$)/;

/**
 * The step-up of an operation, which follows from its method, path and permission: `always` for every deletion, which includes that
 * of a factor, and for acts on keys, secrets and operators; `production` for other configuration.
 */
export function requiredStepUp(operation: Parameters<typeof requiredPermission>[0] & { path: string }): StepUp {
  const permission = requiredPermission(operation);
  if (permission === 'never') return 'never';
  if (GRAVE.includes(permission)) return 'always';
  if (operation.method === 'GET') return 'never';
  if (permission === 'operators' || operation.method === 'DELETE') return 'always';
  if (permission.endsWith('.read')) return 'never';
  if (KEY_PATH.test(operation.path)) return 'always';
  return permission === 'config.change' ? 'production' : 'never';
}

/** The error for an operator whose last proof of identity is too old for an operation. */
export const stepUpRequired = declareError({
  status: 403,
  code: 'step_up_required',
  message: 'This operation requires that the operator has proved who they are in the last five minutes. Sign in again.',
});
