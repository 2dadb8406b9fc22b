import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { findModule } from '../lib/topology/places.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The test files that a change can break: those that import a changed file, directly or through others, and the tests
 * of each area in which a file changed or imports one. Tests of areas call a separate process by HTTP, so imports do
 * not lead to them.
 * @param base a revision; all files that differ from it count, uncommitted and untracked files included
 * @throws Error when git does not know the revision
 */
export function affectedTests(base: string): string[] {
  const args = ['--config', '.dependency-cruiser.mjs', '--affected', base, '--output-type', 'json'];
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', ...args, 'bin', 'lib', 'functions', 'test'],
    { cwd: root, encoding: 'utf8', maxBuffer: 1e9 },
  );
  if (stdout === '') throw new Error(`What changed since ${base} cannot be found: ${stderr.trim()}`);
  const { modules } = JSON.parse(stdout) as { modules: { source: string }[] };
  const found = new Set<string>();
  for (const { source } of modules) {
    if (source.endsWith('.test.ts') && !source.startsWith('test/browser/')) found.add(source);
    const area = findModule(source);
    for (const test of area === undefined ? [] : testsBelow(`test/areas/${area}`)) found.add(test);
  }
  return [...found].sort();
}

function testsBelow(folder: string): string[] {
  if (!existsSync(`${root}/${folder}`)) return [];
  return readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`);
}
