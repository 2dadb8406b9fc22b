/**
 * Writes what is generated from the registry and committed, so that a change of the interface shows in the review: the OpenAPI
 * document, and the table of operations that the console may call. With `--check` nothing is written: the exit status is 1 when
 * a file is not up to date, and the first lines that differ are shown.
 */
import { readFile, writeFile } from 'node:fs/promises';

import { requiredPermission } from '../functions/kernel/authentication/operator-permission.ts';
import { openApiDocument } from '../functions/kernel/openapi/document.ts';
import { printJson } from '../functions/kernel/openapi/print.ts';
import { areas } from '../functions/registry.ts';
import { printHelp } from './usage.ts';

printHelp(`usage: npm run openapi [-- --check]
Writes the OpenAPI document of all operations to functions/openapi.json, and the operations that operators may call to
functions/console/operation-table.json. --check writes nothing; exit status 1 if a file is not up to date.`);

/** The operations that take an API key and that an operator may call: id, method, path and permission, one a line. */
function operationTable(): string {
  const entries = areas
    .flatMap(({ operations }) => operations)
    .filter((each) => each.auth.security.some((scheme) => 'bearer' in scheme) && requiredPermission(each) !== 'never')
    .map((each) => `  ${JSON.stringify(each.id)}: ${printRow([each.method, each.path, requiredPermission(each)])}`)
    .toSorted();
  return `{\n${entries.join(',\n')}\n}\n`;
}

const printRow = (row: readonly string[]): string => `[${row.map((each) => JSON.stringify(each)).join(', ')}]`;

const files = {
  'functions/openapi.json': `${printJson(openApiDocument(areas))}\n`,
  'functions/console/operation-table.json': operationTable(),
};
for (const [name, current] of Object.entries(files)) {
  const file = new URL(`../${name}`, import.meta.url);
  if (!process.argv.includes('--check')) {
    await writeFile(file, current);
    console.log(`${name}: ${current.length} characters`);
    continue;
  }
  const committed = await readFile(file, 'utf8').catch(() => '');
  if (committed === current) continue;
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
