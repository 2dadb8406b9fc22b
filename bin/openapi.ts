/**
 * Writes the OpenAPI document of the registry to `functions/openapi.json`, and the table of the permissions that operations
 * require of operators to `functions/faces/console/operation-table.json`, and the fields of the console's forms to
 * `functions/faces/console/change-table.json`. They are committed so that a change of the interface shows in the review. With `--check` nothing is written: the exit status is 1 when a file is not up to date, and the first
 * lines that differ are shown.
 */
import { readFile, writeFile } from 'node:fs/promises';

import { changeTable } from '../lib/openapi/change-table.ts';
import { openApiDocument } from '../lib/openapi/document.ts';
import { operatorTable } from '../lib/openapi/operator-table.ts';
import { printJson } from '../lib/openapi/print.ts';
import { areas } from '../functions/registry.ts';
import { printHelp } from './usage.ts';

printHelp(`usage: npm run openapi [-- --check]
Writes the OpenAPI document of all operations to functions/openapi.json, what each asks of an operator to
functions/faces/console/operation-table.json, and the fields of changes to functions/faces/console/change-table.json. --check writes nothing; exit status 1 if a file is not up to date.`);

const files = {
  'functions/openapi.json': openApiDocument(areas),
  'functions/faces/console/operation-table.json': operatorTable(areas),
  'functions/faces/console/change-table.json': changeTable(areas),
};
for (const [name, content] of Object.entries(files)) await provide(name, `${printJson(content)}\n`);

async function provide(name: string, current: string): Promise<void> {
  const file = new URL(`../${name}`, import.meta.url);
  if (!process.argv.includes('--check')) {
    await writeFile(file, current);
    console.log(`${name}: ${current.length} characters`);
    return;
  }
  const committed = await readFile(file, 'utf8').catch(() => '');
  if (committed === current) return;
  console.error(`${name} is not up to date; run "npm run openapi".`);
  console.error(firstDifference(committed.split('\n'), current.split('\n')));
  process.exitCode = 1;
}

/** The first position at which two texts differ, with three lines of each. */
function firstDifference(old: readonly string[], fresh: readonly string[]): string {
  const at = fresh.findIndex((line, index) => line !== old[index]);
  const from = at === -1 ? fresh.length : at;
  const formatLines = (lines: readonly string[], mark: string): string[] =>
    lines.slice(from, from + 3).map((line) => `${mark} ${line}`);
  return [`line ${from + 1}:`, ...formatLines(old, '-'), ...formatLines(fresh, '+')].join('\n');
}
