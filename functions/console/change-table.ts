import type { ChangeEntry } from '../kernel/openapi/change-table.ts';
import table from './change-table.json' with { type: 'json' };

/**
 * The fields of the changes that are made of a version, by the id of the operation. `npm run openapi` writes the table from the registry,
 * so that a form has exactly the members of the API. It is a file of its own, since only pages with such a form load it.
 */
export const CHANGES = table as unknown as Readonly<Record<string, ChangeEntry>>;
