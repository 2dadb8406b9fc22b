import type * as z from 'zod';

import { apiKey } from './authentication/api-key.ts';
import type { Operation } from './operation.ts';
import { type PageQuery, readPage } from './pagination.ts';
import type { Reading } from './storage/range.ts';
import type { Window } from './storage/window.ts';

/** The declaration of a plain list: the parts of an operation that differ from list to list. */
interface ListDefinition<
  Query extends z.ZodType<PageQuery>,
  Row extends { id: string },
  List extends z.ZodType<unknown, { data: unknown[] }>,
> extends Pick<Operation, 'id' | 'path' | 'summary' | 'description' | 'exposesCredential' | 'operator'> {
  /** The page members (`pageMembers`) and the filters of the list. */
  query: Query;
  /** The list as a response, made by `listSchema`. */
  response: List;
  /** Reads the rows of a page: see `readPage`. */
  fetch: (environmentId: string, query: z.output<Query>, window: Window) => Promise<Reading<Row>>;
  present: (row: Row) => z.input<List>['data'][number] | Promise<z.input<List>['data'][number]>;
}

/**
 * Declares an operation that lists records of the caller's environment in pages, has no errors of its own and emits no event. A list
 * that needs more, such as a parent that may be absent, is an `operation` with `readPage`.
 */
export const listOperation = <
  Query extends z.ZodType<PageQuery>,
  Row extends { id: string },
  List extends z.ZodType<unknown, { data: unknown[] }>,
>({
  fetch,
  present,
  response,
  ...declared
}: ListDefinition<Query, Row, List>): Operation => ({
  ...declared,
  method: 'GET',
  auth: apiKey,
  responses: { 200: response },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query }: { environmentId: string; query: z.output<Query> }) {
    return { status: 200, body: await readPage(query, (window) => fetch(environmentId, query, window), present) };
  },
});
