/**
 * Writes `lib/topology/access.json`: the rows that the code of each function writes, and the purposes for which it uses the stage's KMS
 * key. It is derived from the sources, and committed so that a change of it shows in the review.
 */
import { readFile, writeFile } from 'node:fs/promises';

import { listProblems } from '../lib/permissions/check.ts';
import { Derivation } from '../lib/permissions/derive.ts';
import { guardedKinds } from '../lib/permissions/guarded.ts';
import { Sources } from '../lib/permissions/sources.ts';
import { firstKeyFunction } from '../lib/stack/first-key-function.ts';
import { topology } from '../lib/topology/index.ts';
import { printHelp } from './usage.ts';

printHelp(`usage: npm run permissions [-- --check | FUNCTION KIND]
Derives from the sources which rows each function writes and for which purposes it encrypts and decrypts, compares that with what is
declared, and writes lib/topology/access.json, of which the policies of the functions are made. --check writes nothing; exit status 1 if the
file is not up to date, or if a declaration differs. With a function and a kind of row (or a purpose) it prints the code by which the
function reaches a write of it.`);

const described = [...topology.functions, firstKeyFunction];
const entries = Object.fromEntries(described.map(({ name, entry }) => [name, entry]));
const file = new URL('../lib/topology/access.json', import.meta.url);
const derivation = new Derivation(new Sources());
const [first, kind] = process.argv.slice(2);

if (first === undefined || first === '--check') await provide(first !== undefined);
else explain(first, kind ?? '');

async function provide(isCheck: boolean): Promise<void> {
  const table = derivation.derive(entries);
  const problems = listProblems(table, described, guardedKinds);
  const current = `${JSON.stringify(table, null, 2)}\n`;
  const committed = await readFile(file, 'utf8').catch(() => '');
  if (isCheck && committed !== current)
    problems.push('lib/topology/access.json is not up to date: run "npm run permissions"');
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else if (!isCheck) await writeFile(file, current);
}

function explain(name: string, wanted: string): void {
  const entry = entries[name];
  const path = entry === undefined ? undefined : derivation.explain(entry, wanted);
  if (path === undefined) {
    console.error(`${name} does not write ${wanted}, nor uses it as a purpose.`);
    process.exitCode = 1;
  } else for (const declaration of path) console.log(declaration);
}
