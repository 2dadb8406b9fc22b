import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';

import { apart } from '../../lib/stack/apart.ts';
import { builtins } from '../../lib/stack/builtins.ts';
import { withLazySchemas } from '../../lib/stack/lazy-schemas.ts';
import { lean } from '../../lib/stack/lean.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const recorded = `${root}functions/reference/examples/recorded.json`;

const SCRIPT = `
  import { readFileSync } from 'node:fs';
  import { areas } from './functions/registry.ts';
  import { parseExamples } from './test/support/schema-results.ts';
  const { operations } = JSON.parse(readFileSync(process.argv.at(-1), 'utf8'));
  console.log(JSON.stringify(parseExamples(areas, operations)));`;

/** Calls that derive schemas from others; prints what each accepts, before anything else has used them. */
const DERIVED = `
  import * as z from 'zod';
  const base = z.object({ a: z.string().min(2), b: z.number().optional() });
  const checked = base.refine(({ a }) => a !== 'no', 'is no');
  const node = z.object({ name: z.string(), get below() { return z.array(node).optional(); } });
  const schemas = {
    extend: base.extend({ c: z.boolean() }), omit: base.omit({ b: true }), pick: base.pick({ a: true }), partial: base.partial(),
    required: base.required(), strict: base.strict(), passthrough: base.loose(), merged: base.merge(z.object({ b: z.string() })),
    checked, nullable: base.nullable(), list: base.array().max(1), node, both: z.intersection(base, z.object({ c: z.literal(1) })),
    union: z.union([base, z.string()]), kind: z.discriminatedUnion('kind', [z.object({ kind: z.literal('x') }), base.extend({ kind: z.literal('y') })]),
    values: z.enum(['x', 'y']).exclude(['y']), element: base.array().element, unwrapped: base.optional().unwrap(), shape: base.shape.a,
    options: z.union([z.string().min(3), z.number()]).options[0], keys: z.record(z.enum(['a', 'b']), base.shape.b), fallback: z.string().default('d'),
    caught: z.number().catch(7), piped: z.string().transform(Number).pipe(z.number().min(5)), tuple: z.tuple([z.string(), base]), number: z.coerce.number().int(),
  };
  const inputs = [undefined, null, 'no', 'abc', '12', 3, {}, { a: 'x' }, { a: 'xx' }, { a: 'no', b: 1 }, { a: 'xx', b: 'y' }, { a: 'xx', c: true }, { a: 'xx', c: 1 },
    { kind: 'x' }, { kind: 'y', a: 'xx' }, [], [{ a: 'xx' }], [{ a: 'xx' }, { a: 'yy' }], ['x', { a: 'xx' }], 'x', 'y', { name: 'n', below: [{ name: 1 }] }];
  const results = Object.entries(schemas).map(([name, schema]) => [name, schema.type, inputs.map((input) => {
    const { success, data, error } = schema.safeParse(input);
    return success ? { data } : error.issues;
  })]);
  console.log(JSON.stringify(results, (_, value) => (typeof value === 'bigint' ? String(value) : value)));
  console.log(base instanceof z.ZodObject, base.optional() instanceof z.ZodString, new z.ZodError([]) instanceof Error);`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-schemas-test-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Builds and runs a script. @returns what it printed */
async function print(contents: string, isLean: boolean): Promise<string> {
  const outfile = join(folder, 'script.mjs');
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    outfile,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    conditions: ['module'],
    plugins: isLean ? [builtins, apart(new Map()), lean] : [],
  });
  return run([outfile]);
}

/** Runs Node with these arguments and the recorded examples. @returns what it printed, or its errors */
function run(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...args, recorded], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  return status === 0 ? stdout : stderr;
}

describe('Schemas that are built when they are first used', () => {
  test('accept, convert and reject what the schemas of the sources do, for every operation', async () => {
    // The sources run in a process of their own too: Zod names values of Jest's context by another type in its messages.
    const expected = JSON.parse(run(['--input-type=module', '--eval', SCRIPT])) as Record<string, string>;
    const actual = JSON.parse(await print(SCRIPT, true)) as Record<string, string>;
    expect(Object.keys(actual)).toEqual(Object.keys(expected));
    expect(Object.keys(expected).filter((id) => actual[id] !== expected[id])).toEqual([]);
  }, 300_000);

  test('may be derived from each other before they are used, and are known by their class', async () => {
    const whole = await print(DERIVED, false);
    expect(whole).toMatch(/true false false\n$/);
    expect(await print(DERIVED, true)).toEqual(whole);
  });

  test('are those of the version of Zod whose source the bundler knows', () => {
    expect(() => withLazySchemas('/zod/v4/core/util.js', 'export const other = 1;')).toThrow(/has no part/);
  });
});
