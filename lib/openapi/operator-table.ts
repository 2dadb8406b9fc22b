import type { Area } from '../../functions/kernel/area.ts';
import {
  type RequiredPermission,
  requiredPermission,
} from '../../functions/kernel/authentication/operator-permission.ts';
import { requiredStepUp, type StepUp } from '../../functions/kernel/authentication/step-up.ts';

/** True for an operation that accepts an environment's API key, and so an operator's grant, or only that grant. */
export const acceptsOperators = ({ auth }: Area['operations'][number]): boolean =>
  auth.security.some((scheme) => 'bearer' in scheme || 'operator' in scheme);

/** The demands of an operation on an operator, and the name of the parameter that may contain slashes, if there is one. */
type Entry = readonly [method: string, path: string, RequiredPermission, stepUp: StepUp, freeText?: string];

/** The demands of each operation with an API key on an operator, by the operation's id, in order: method, path, permission, step-up. */
export function operatorTable(areas: readonly Area[]): Record<string, Entry> {
  const operations = areas.flatMap((area) => area.operations).filter(acceptsOperators);
  const sorted = operations.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return Object.fromEntries(
    sorted.map((operation): [string, Entry] => {
      const { id, method, path, freeText } = operation;
      const entry = [method, path, requiredPermission(operation), requiredStepUp(operation)] as const;
      return [id, freeText === undefined ? entry : [...entry, freeText]];
    }),
  );
}
