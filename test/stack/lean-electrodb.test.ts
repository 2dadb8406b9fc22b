import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build, type Plugin } from 'esbuild';

import { builtins } from '../../lib/stack/builtins.ts';
import { bundleElectroDb, ELECTRODB_FILE } from '../../lib/stack/electrodb-file.ts';
import { lean } from '../../lib/stack/lean.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Prints what every kind of call that functions make would send. */
const CALLS = `
  import { Entity } from 'electrodb';
  const text = { type: 'string' };
  const things = new Entity({
    model: { entity: 'thing', service: 'test', version: '1' },
    attributes: { id: { ...text, required: true }, owner: text, name: text, count: { type: 'number' }, tags: { type: 'set', items: 'string' } },
    indexes: {
      primary: { pk: { field: 'pk', composite: ['id'] }, sk: { field: 'sk', composite: [] } },
      owned: { index: 'gsi1', pk: { field: 'gsi1pk', composite: ['owner'] }, sk: { field: 'gsi1sk', composite: ['name'] } },
    },
  }, { table: 'table', client: { send: () => undefined, createSet: (members) => ({ set: members }) } });
  const id = 'thing_1';
  const condition = (row, { eq, lt, exists }) => eq(row.owner, 'acme') + ' AND (' + lt(row.count, 5) + ' OR ' + exists(row.name) + ')';
  const all = { id, owner: 'acme', name: 'One', count: 1, tags: ['a', 'b'] };
  const calls = {
    get: things.get({ id }),
    put: things.put(all),
    putWhere: things.put(all).where(condition),
    create: things.create(all),
    createWhere: things.create(all).where(condition),
    upsert: things.upsert(all),
    upsertWhere: things.upsert(all).where(condition),
    delete: things.delete({ id }),
    deleteWhere: things.delete({ id }).where(condition),
    remove: things.remove({ id }),
    removeWhere: things.remove({ id }).where(condition),
    update: things.update({ id }).set({ owner: 'other', name: 'Two' }).add({ count: 1 }).remove(['tags']),
    updateWhere: things.update({ id }).add({ count: 1 }).where(condition),
    updateData: things.update({ id }).data((row, { set, ifNotExists }) => set(row.name, 'x')).where(condition),
    patch: things.patch({ id }).set({ count: 2 }),
    patchWhere: things.patch({ id }).set({ count: 2 }).where(condition).where((row, { gt }) => gt(row.count, 0)),
    query: things.query.primary({ id }),
    queryOwned: things.query.owned({ owner: 'acme' }),
    queryBegins: things.query.owned({ owner: 'acme' }).begins({ name: 'O' }),
    queryBetween: things.query.owned({ owner: 'acme' }).between({ name: 'A' }, { name: 'P' }),
    queryGt: things.query.owned({ owner: 'acme' }).gt({ name: 'A' }),
    queryGte: things.query.owned({ owner: 'acme' }).gte({ name: 'A' }),
    queryLt: things.query.owned({ owner: 'acme' }).lt({ name: 'A' }),
    queryLte: things.query.owned({ owner: 'acme' }).lte({ name: 'A' }).where(condition),
  };
  const sent = Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, call.params()]));
  console.log(JSON.stringify(sent, null, 1));
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-electrodb-test-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Builds and runs the calls. @returns what they printed */
async function printCalls(plugins: Plugin[]): Promise<string> {
  const options = { format: 'esm', platform: 'node', minify: true } as const;
  const outfile = join(folder, 'calls.mjs');
  await build({
    ...options,
    stdin: { contents: CALLS, resolveDir: `${root}functions/kernel`, sourcefile: `${root}functions/kernel/calls.js` },
    bundle: true,
    outfile,
    plugins,
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(process.cwd() + '/');" },
  });
  writeFileSync(
    join(folder, ELECTRODB_FILE),
    await bundleElectroDb({ ...options, bundle: true, plugins: [builtins, lean] }),
  );
  const run = spawnSync(process.execPath, [outfile], { cwd: root, encoding: 'utf8' });
  return run.status === 0 ? run.stdout : run.stderr;
}

test('ElectroDB in a file next to a bundle sends exactly what the whole package sends, with conditions too', async () => {
  const whole = await printCalls([]);
  expect(JSON.parse(whole)).toMatchObject({ updateWhere: { ConditionExpression: expect.any(String) } });
  expect(await printCalls([builtins, lean])).toEqual(whole);
});
