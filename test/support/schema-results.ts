import type * as z from 'zod';

import type { Area } from '../../functions/kernel/area.ts';

/** An example of an operation: the body of its request, and its response. */
interface Example {
  body?: unknown;
  status?: number;
  response?: unknown;
}

/** Values that replace each member of an example in turn. */
const REPLACEMENTS: readonly unknown[] = [
  undefined,
  null,
  7,
  -1.5,
  '',
  ' x ',
  '🙂'.repeat(400),
  true,
  [],
  ['x', 'x'],
  {},
];

/** An example and its variants, each with another value of one member. */
function vary(example: unknown): unknown[] {
  if (typeof example !== 'object' || example === null) return [example, ...REPLACEMENTS];
  const changed = Object.keys(example).flatMap((name) =>
    REPLACEMENTS.map((value) =>
      Array.isArray(example) ? [...(example as unknown[]), value] : { ...example, [name]: value },
    ),
  );
  return [example, { ...example, unknown_member: 1 }, ...changed, ...REPLACEMENTS];
}

function parse(schema: z.ZodType, input: unknown): unknown {
  try {
    const { success, data, error } = schema.safeParse(input);
    return success ? { data } : { issues: error.issues };
  } catch (error) {
    return { thrown: String(error) };
  }
}

/**
 * Parses examples and their variants by the schemas of all operations: bodies, queries and responses.
 * @returns the results by operation, as text
 */
export function parseExamples(
  areas: readonly Area[],
  examples: Readonly<Record<string, Example>>,
): Record<string, string> {
  const results = areas
    .flatMap(({ operations }) => operations)
    .map(({ id, body, query, responses }) => {
      const example = examples[id] ?? {};
      const cases: [schema: z.ZodType, example: unknown][] = [
        ...(body === undefined ? [] : [[body, example.body ?? {}] satisfies [z.ZodType, unknown]]),
        ...(query === undefined
          ? []
          : [[query, { limit: '5', order: 'asc', after: 'x' }] satisfies [z.ZodType, unknown]]),
        ...Object.values(responses).flatMap((schema): [z.ZodType, unknown][] =>
          schema === null ? [] : [[schema, example.response ?? {}]],
        ),
      ];
      const parsed = cases.flatMap(([schema, given]) => vary(given).map((input) => parse(schema, input)));
      return [id, JSON.stringify(parsed)] as const;
    });
  return Object.fromEntries(results);
}
