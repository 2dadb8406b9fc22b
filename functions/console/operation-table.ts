import type { OperatorPermission } from '../kernel/authentication/operator-permission.ts';
import table from './operation-table.json' with { type: 'json' };

/**
 * The operations of the API that operators may call, by their ids: method, path and the permission that they ask. `npm run
 * openapi` generates the table from the registry, since the console loads no other area.
 */
export const OPERATIONS = table as unknown as Readonly<
  Record<string, readonly [method: string, path: string, permission: OperatorPermission] | undefined>
>;
