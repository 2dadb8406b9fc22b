import type { Area } from '../area.ts';
import { type RequiredPermission, requiredPermission } from '../authentication/operator-permission.ts';

/** True for an operation that accepts an environment's API key, and so an operator's grant. */
export const acceptsOperators = ({ auth }: Area['operations'][number]): boolean =>
  auth.security.some((scheme) => 'bearer' in scheme);

/**
 * The permission that each operation with an API key asks of an operator: method, path and permission by the operation's id, in order, and
 * the name of the parameter that may contain slashes, if there is one.
 */
export function operatorTable(
  areas: readonly Area[],
): Record<string, readonly [method: string, path: string, RequiredPermission, freeText?: string]> {
  const operations = areas.flatMap((area) => area.operations).filter(acceptsOperators);
  const sorted = operations.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return Object.fromEntries(
    sorted.map(({ freeText, ...operation }) => [
      operation.id,
      freeText === undefined
        ? ([operation.method, operation.path, requiredPermission(operation)] as const)
        : ([operation.method, operation.path, requiredPermission(operation), freeText] as const),
    ]),
  );
}
