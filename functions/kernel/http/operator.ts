import type { Caller } from '../authentication/caller.ts';
import {
  operatorPermissionRequired,
  type RequiredPermission,
  requiredPermission,
} from '../authentication/operator-permission.ts';
import { isOperatorsEnvironment } from '../authentication/environment-id.ts';
import { Failure } from '../errors.ts';
import type { Operation } from '../operation.ts';
import { findSecretMember, withoutSecrets } from '../secret-members.ts';

/**
 * The permission that a call asks of an operator. On the environment of the operators every operation asks `operators`.
 */
function permissionFor({ environmentId }: Pick<Caller, 'environmentId'>, operation: Operation): RequiredPermission {
  const own = requiredPermission(operation);
  return isOperatorsEnvironment(environmentId) && own !== 'never' ? 'operators' : own;
}

const rejected = (permission: RequiredPermission, message: string): Failure =>
  new Failure(operatorPermissionRequired, { message, members: { permission } });

const NEVER = 'No operator may call this operation: it acts for a person or an application.';

/** Rejects an operator who has no permission for the operation. @throws Failure 403 that names the permission */
export function rejectOperator(caller: Caller, operation: Operation): void {
  if (caller.operator === undefined) return;
  const permission = permissionFor(caller, operation);
  if (permission === 'never') throw rejected(permission, NEVER);
  if (caller.operator.permissions.has(permission)) return;
  throw rejected(
    permission,
    `The operator has no permission “${permission}” in this environment, which this operation requires.`,
  );
}

/**
 * Rejects an operator who sends a secret for a person, such as a password: it would allow the operator to act as that person.
 * @throws Failure 403
 */
export function rejectSecretInput(caller: Caller, operation: Operation, body: unknown): void {
  if (caller.operator === undefined || operation.body === undefined) return;
  if (!requiredPermission(operation).startsWith('people.')) return;
  const name = findSecretMember(operation.body, body);
  if (name !== undefined) throw rejected('never', `No operator may send “${name}”: it is a secret of a person.`);
}

/** The permissions of operations that show a secret on purpose. */
const SHOWING: readonly RequiredPermission[] = ['secrets.write', 'secrets.reveal'];

/** The body of a response as the caller gets it: operators get no secret members, unless the operation shows a secret. */
export function bodyForCaller(
  caller: Caller,
  operation: Operation,
  schema: Parameters<typeof withoutSecrets>[0],
  body: unknown,
) {
  const isWhole = caller.operator === undefined || SHOWING.includes(requiredPermission(operation));
  return isWhole ? body : withoutSecrets(schema, body);
}
