import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { RULES } from '../../functions/trust/authority/rules.ts';

/**
 * Flips each rule of `functions/trust/authority/rules.ts` in a copy of the project, and runs the random histories there: a rule that
 * denied now allows, and the other way round. Prints a table with what noticed it. `node bin/run.mjs test/soak/trust-flips.ts [N …]` for
 * only some rules, by their place from 0.
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-flips-'));
const RULES_FILE = 'functions/trust/authority/rules.ts';
const START = 'export const RULES: readonly Rule[] = [';
const END = '\n];\n';

/** Makes a copy of hard links, in which only the file of the rules is another file. */
function copy(): void {
  const names = readdirSync(root).filter((name) => name !== '.git');
  const { status } = spawnSync('cp', ['-al', ...names.map((name) => join(root, name)), folder]);
  if (status !== 0) throw new Error(`The copy in ${folder} failed`);
}

function flip(place: number): void {
  const text = readFileSync(join(root, RULES_FILE), 'utf8');
  const start = text.indexOf(START);
  const end = text.indexOf(END, start);
  if (start < 0 || end < 0) throw new Error(`There are no rules in ${RULES_FILE}`);
  const flipped = `
export const RULES: readonly Rule[] = AS_WRITTEN.map((found, place) =>
  place === ${place} ? { ...found, then: found.then === 'allowed' ? 'not_covered' : 'allowed' } : found,
);
`;
  const written = text.slice(0, start) + START.replace('export const RULES', 'const AS_WRITTEN');
  const path = join(folder, RULES_FILE);
  // The file is a hard link: writing through it would change the project.
  rmSync(path);
  writeFileSync(
    path,
    written + text.slice(start + START.length, end + END.length) + flipped + text.slice(end + END.length),
  );
}

/** The first failure of the histories in the copy; undefined if nothing failed. */
function run(): string | undefined {
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  const options = ['-c', 'test/jest.config.mjs', '--reporters=default', '-i', 'areas/trust/history.test'];
  const env = { ...process.env, GATEHOUSE_TRUST_STEPS: '150' };
  const { status, stderr, error } = spawnSync(process.execPath, [...flags, ...options], {
    cwd: folder,
    encoding: 'utf8',
    env,
  });
  if (error !== undefined) throw error;
  if (status === 0) return undefined;
  const broken = [...stderr.matchAll(/breaks rule 1: (.*)\.$/gm)].map(([, reason = '']) => reason);
  const failed = [...stderr.matchAll(/✕ (.*) \(/g)].map(([, name = '']) => name);
  return broken[0] ?? failed[0] ?? stderr.slice(-500);
}

copy();
const wanted = process.argv.slice(2).map(Number);
process.stdout.write('| Act | Rule | Flipped to | Found by |\n| --- | --- | --- | --- |\n');
for (const [place, { act, summary, then }] of RULES.entries()) {
  if (wanted.length > 0 && !wanted.includes(place)) continue;
  flip(place);
  const found = run();
  const to = then === 'allowed' ? 'denied' : 'allowed';
  process.stdout.write(
    `| \`${act}\` | ${summary} | ${to} | ${found?.replaceAll(/(org|user)_\w+/g, '…').replaceAll('|', ' of ') ?? 'not found'} |\n`,
  );
}
rmSync(folder, { recursive: true, force: true });
