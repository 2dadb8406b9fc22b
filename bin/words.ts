/**
 * `node bin/run.mjs bin/words.ts [FOLDER]`: checks the words and the syntax of the sources with oxlint (`words.config.mjs`), and the
 * prose of Markdown. It is the check `words`. Exit status 1 if something is found.
 */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = resolve(process.argv[2] ?? root);
const { findIdioms } = (await import(new URL('../words.plain.mjs', import.meta.url).href)) as {
  findIdioms: (markdown: string) => { line: number; word: string; instead: string }[];
};

const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules/oxlint/bin/oxlint'), '-c', 'words.config.mjs'],
  {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  },
);
if (status !== 0) process.exitCode = 1;

const left = new Set(['node_modules', 'cdk.out', '.gatehouse', '.git']);
for (const file of globSync('**/*.md', { cwd: folder, exclude: (name) => left.has(name) })) {
  for (const { line, word, instead } of findIdioms(readFileSync(join(folder, file), 'utf8'))) {
    console.log(`${file}:${line}: "${word}" is not plain English here. Use: ${instead}.`);
    process.exitCode = 1;
  }
}
