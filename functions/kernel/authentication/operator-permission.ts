import { declareError } from '../errors.ts';
import { isOperatorsEnvironment } from './environment-id.ts';

/**
 * The permissions of operators, which their roles consist of. Each operation of the API requires one of them of an operator:
 *
 * - `config.read`: settings, connections, endpoints and the names of keys.
 * - `people.read`: users, memberships, sessions, events and the state of messages.
 * - `people.support`: revoking sessions, resending, resetting a factor, lifting limits.
 * - `people.change`: creating, changing, importing and deleting users and memberships.
 * - `people.impersonate`: opening a session as a user, where the environment enables that.
 * - `config.change`: changing what `config.read` shows.
 * - `secrets.write`: creating and rotating secrets; the new one is shown once.
 * - `secrets.reveal`: reading a stored secret.
 * - `destroy`: deleting organizations, environments, keys and evidence.
 * - `operators`: operators, their roles, and the environments of the stage.
 */
export const OPERATOR_PERMISSIONS = [
  'config.read',
  'people.read',
  'people.support',
  'people.change',
  'people.impersonate',
  'config.change',
  'secrets.write',
  'secrets.reveal',
  'destroy',
  'operators',
] as const;

export type OperatorPermission = (typeof OPERATOR_PERMISSIONS)[number];

/**
 * The permissions of an emergency access in its environment: those of an owner, except the one for the stage, and impersonation, which
 * names the operator.
 */
export const BREAK_GLASS_PERMISSIONS: readonly OperatorPermission[] = OPERATOR_PERMISSIONS.filter(
  (permission) => permission !== 'operators' && permission !== 'people.impersonate',
);

/**
 * The permission that an operation requires of an operator; `never` for one whose response or effect allows its caller to
 * act as another user, such as a mailed code, a token or a decrypted value.
 */
export type RequiredPermission = OperatorPermission | 'never';

/** The members of an operation from which its required permission follows. */
interface Asking {
  method: string;
  exposesCredential?: boolean;
  operator?: RequiredPermission;
}

/**
 * The permission that an operation requires of an operator: the declared one, otherwise `never` for a read that exposes a
 * credential and for every change, and `people.read` for other reads. So an operation that changes something is open to
 * operators only if its declaration names a permission.
 */
export function requiredPermission({ operator, method, exposesCredential = false }: Asking): RequiredPermission {
  if (operator !== undefined) return operator;
  if (exposesCredential) return 'never';
  return method === 'GET' ? 'people.read' : 'never';
}

/**
 * The permission that an operation requires in an environment. In the environment of the operators reads require `operators`, and
 * so do the operations of the stage. All other operations are open to no operator there, so that none gives themselves a role or
 * removes the last owner: `npm run operators` changes them.
 */
export function permissionIn(environmentId: string, own: RequiredPermission): RequiredPermission {
  if (!isOperatorsEnvironment(environmentId)) return own;
  return own.endsWith('.read') || own === 'operators' ? 'operators' : 'never';
}

/** The error for an operator without the permission that an operation requires. Its message names the permission. */
export const operatorPermissionRequired = declareError({
  status: 403,
  code: 'operator_permission_required',
  message:
    'The operator has no permission for this operation in this environment. Ask an owner for a role that has the permission in `permission`.',
});

/** True for an operation that changes nothing and shows no secret: those of a permission to read, and reads of owners. */
export function isReading(operation: Asking): boolean {
  const permission = requiredPermission(operation);
  return permission.endsWith('.read') || (permission === 'operators' && operation.method === 'GET');
}
