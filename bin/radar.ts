/** `npm run radar -- geo FILE …`: loads the table by which Radar finds the country and the location of an IP address. */
import { createReadStream } from 'node:fs';
import { parseArgs } from 'node:util';

import type { LoadedTable } from '../functions/proofs/radar/geo/entity.ts';
import { LineError, readRanges, splitLines } from '../functions/proofs/radar/geo/lines.ts';
import { LoadReplaced, loadPlaces, removePlaces, showPlaces, undoPlaces } from '../functions/proofs/radar/geo/load.ts';
import type { Range } from '../functions/proofs/radar/geo/table.ts';
import { aimAt, CommandError, runCommand, TARGET_USAGE, targetOptions } from './target.ts';

const USAGE = `usage: npm run radar -- geo FILE.csv [FILE.csv …]
       npm run radar -- geo [--undo | --remove]
The first form loads the table of places of a stage, for all its environments: a line has start, end, country and, if known, latitude
and longitude. IPv4 and IPv6 addresses may be in one file or in two; each is sorted by start. A first line with names may give
the columns another order. Without a file the command shows the table, --undo returns to the one before, --remove removes it.
${TARGET_USAGE}`;

const options = {
  ...targetOptions,
  undo: { type: 'boolean', default: false },
  remove: { type: 'boolean', default: false },
} as const;

await runCommand(USAGE, async () => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const [verb, ...files] = positionals;
  const given = [files.length > 0, values.undo, values.remove].filter(Boolean).length;
  if (verb !== 'geo' || given > 1) throw new CommandError(USAGE);
  await aimAt(values);
  if (files.length > 0) return load(files);
  if (values.undo) return undo();
  if (!values.remove) return show();
  console.log(`${await removePlaces()} pages are removed. Country and travel of attempts are not evaluated any more.`);
});

/** Yields the address ranges of several files in sequence. @throws CommandError with the file and line of an error */
async function* readFiles(files: readonly string[]): AsyncGenerator<Range> {
  for (const file of files) {
    try {
      yield* readRanges(splitLines(createReadStream(file, 'utf8')));
    } catch (error) {
      if (error instanceof LineError) throw new CommandError(`${file}: ${error.message}. The table was not changed.`);
      throw error;
    }
  }
}

async function load(files: readonly string[]): Promise<void> {
  try {
    const { table, ranges } = await loadPlaces(readFiles(files));
    console.log(`The table ${table} with ${ranges} ranges is current. All instances use it within a minute.`);
  } catch (error) {
    throw error instanceof LoadReplaced ? new CommandError(error.message) : error;
  }
}

async function undo(): Promise<void> {
  const table = await undoPlaces();
  if (table === undefined) throw new CommandError('There is no table before the current one.');
  console.log(`${describe(table)} is current again. All instances use it within a minute.`);
}

function describe({ table, ranges, loadedAt }: LoadedTable): string {
  return `The table ${table} with ${ranges} ranges, loaded at ${loadedAt},`;
}

async function show(): Promise<void> {
  const { current, former } = await showPlaces();
  if (current === undefined) return console.log('There is no table of places.');
  console.log(`${describe(current)} is current.`);
  if (former !== undefined) console.log(`${describe(former)} was before it.`);
}
