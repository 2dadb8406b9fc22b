import type { Need } from '../../functions/kernel/area.ts';
import type { Access, AccessTable } from '../topology/access.ts';
import { needOfPurpose } from '../topology/grants.ts';
import type { FunctionDescription } from '../topology/model.ts';

type Described = Pick<FunctionDescription, 'name' | 'needs'>;

/**
 * Compares what the code of functions does with what is declared: the needs of their areas, and the functions that may write guarded
 * kinds of rows.
 * @returns a sentence for each difference
 */
export function listProblems(
  { functions, keys }: AccessTable,
  described: readonly Described[],
  guarded: Readonly<Record<string, readonly string[]>>,
): string[] {
  const needs = described.flatMap(({ name, needs: declared }) =>
    compareNeeds(functions[name] ?? fail(name), new Set(declared), new Set(Object.keys(keys.keys))).map(
      (problem) => `${name} ${problem}`,
    ),
  );
  const writers = Object.entries(guarded).flatMap(([kind, allowed]) => [
    ...Object.entries(functions).flatMap(([name, { writes }]) =>
      writes.includes(kind) && !allowed.includes(name)
        ? [
            `${name} writes ${kind}, which is guarded. Find the code by "npm run permissions -- ${name} ${kind}", and remove it, or add the function to lib/permissions/guarded.ts`,
          ]
        : [],
    ),
    ...allowed.flatMap((name) =>
      functions[name]?.writes.includes(kind) === true
        ? []
        : [`${name} does not write ${kind}: remove it from lib/permissions/guarded.ts`],
    ),
  ]);
  return [...needs, ...writers];
}

function compareNeeds(
  { writes, stamps, seals, opens, erases }: Access,
  needs: Set<Need>,
  keyKinds: Set<string>,
): string[] {
  const problems: string[] = [];
  const records = [...writes, ...stamps].filter((kind) => !keyKinds.has(kind));
  const isWriter = records.length > 0 || erases === true;
  const isOfPipeline = records.every((kind) => OF_PIPELINE.has(kind)) && erases !== true;
  if (!isOfPipeline && !needs.has('table'))
    problems.push(`writes ${records.join(', ')}: its area must declare the need "table"`);
  if (!isWriter && needs.has('table')) problems.push('writes no row: the need "table:read" is enough');
  if (records.length < writes.length + stamps.length && !needs.has('key-table')) {
    problems.push('writes the table of keys: its area must declare the need "key-table"');
  }
  const used = new Set([...seals, ...opens].map(needOfPurpose));
  // The keys that sign have a need for each purpose, since the same code uses them for the key set that it is given.
  if (used.has('keys') && !needs.has('keys')) {
    problems.push(`encrypts or decrypts for ${[...seals, ...opens].join(', ')}: its area must declare the need "keys"`);
  }
  for (const need of KEY_NEEDS) {
    if (needs.has(need) && !used.has(need))
      problems.push(`encrypts and decrypts nothing by the need "${need}": remove it`);
  }
  return problems;
}

/** Kinds that the pipeline of requests writes, for operations that ask for it. */
const OF_PIPELINE: ReadonlySet<string> = new Set(['attempts', 'event', 'idempotency', 'outbox']);

const KEY_NEEDS: readonly Need[] = ['keys', 'signing-key', 'connect-signing-key', 'console-key', 'portal-key'];

function fail(name: string): never {
  throw new Error(`${name} was not derived`);
}
