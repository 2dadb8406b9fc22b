import type { Area } from '../area.ts';
import { type RequiredPermission, requiredPermission } from '../authentication/operator-permission.ts';

/** True for an operation that accepts an environment's API key, and so an operator's grant. */
export const acceptsOperators = ({ auth }: Area['operations'][number]): boolean =>
  auth.security.some((scheme) => 'bearer' in scheme);

/**
 * The permission that each operation with an API key requires of an operator: method, path and permission by the operation's
 * id, in order.
 */
export function operatorTable(
  areas: readonly Area[],
): Record<string, [method: string, path: string, RequiredPermission]> {
  const operations = areas.flatMap((area) => area.operations).filter(acceptsOperators);
  const sorted = operations.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return Object.fromEntries(
    sorted.map((operation) => [operation.id, [operation.method, operation.path, requiredPermission(operation)]]),
  );
}
