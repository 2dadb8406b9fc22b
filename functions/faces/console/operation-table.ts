import type { RequiredPermission } from '../../kernel/authentication/operator-permission.ts';
import type { StepUp } from '../../kernel/authentication/step-up.ts';
import table from './operation-table.json' with { type: 'json' };

/**
 * An operation as the console calls it: its method, its path, the permission and the step-up that it requires of an operator, and the
 * parameter of its path that may contain slashes.
 */
export type OperationEntry = readonly [
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  permission: RequiredPermission,
  stepUp: StepUp,
  freeText?: string,
];

/**
 * Every operation that accepts an operator's grant, by its id. `npm run openapi` writes the table from the registry; it is committed,
 * so that a change of an operation's permission shows in the review.
 */
export const OPERATIONS = table as unknown as Readonly<Record<string, OperationEntry>>;
