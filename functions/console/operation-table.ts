import type { RequiredPermission } from '../kernel/authentication/operator-permission.ts';
import table from './operation-table.json' with { type: 'json' };

/** An operation as the console calls it: its method, its path, and the permission that it requires of an operator. */
export type OperationEntry = readonly [
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  permission: RequiredPermission,
];

/**
 * Every operation that accepts an operator's grant, by its id. `npm run openapi` writes the table from the registry; it is committed,
 * so that a change of an operation's permission shows in the review.
 */
export const OPERATIONS = table as unknown as Readonly<Record<string, OperationEntry>>;
