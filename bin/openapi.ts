/**
 * Writes the OpenAPI document of the registry to `functions/openapi.json`, which is committed so that a change of the
 * interface shows in the review. With `--check` nothing is written: the exit status is 1 when the file is not up to
 * date, and the first lines that differ are shown.
 */
import { readFile, writeFile } from 'node:fs/promises';

import { openApiDocument } from '../functions/kernel/openapi/document.ts';
import { printJson } from '../functions/kernel/openapi/print.ts';
import { areas } from '../functions/registry.ts';
import { printHelp } from './usage.ts';

const FILE = new URL('../functions/openapi.json', import.meta.url);

printHelp(`usage: npm run openapi [-- --check]
Writes the OpenAPI document of all operations to functions/openapi.json. --check writes nothing; exit status 1 if the file is not up
to date.`);
const current = `${printJson(openApiDocument(areas))}\n`;
if (!process.argv.includes('--check')) {
  await writeFile(FILE, current);
  console.log(`functions/openapi.json: ${current.length} characters`);
} else {
  const committed = await readFile(FILE, 'utf8').catch(() => '');
  if (committed !== current) {
    console.error(`functions/openapi.json is not up to date; run "npm run openapi".`);
    console.error(firstDifference(committed.split('\n'), current.split('\n')));
    process.exitCode = 1;
  }
}

/** The first position at which two texts differ, with three lines of each. */
function firstDifference(old: readonly string[], fresh: readonly string[]): string {
  const at = fresh.findIndex((line, index) => line !== old[index]);
  const from = at === -1 ? fresh.length : at;
  const formatLines = (lines: readonly string[], mark: string): string[] =>
    lines.slice(from, from + 3).map((line) => `${mark} ${line}`);
  return [`line ${from + 1}:`, ...formatLines(old, '-'), ...formatLines(fresh, '+')].join('\n');
}
