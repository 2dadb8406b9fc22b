import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';

import { settings } from '../../functions/kernel/settings.ts';
import { scanRows, withDocuments } from '../support/documents.ts';
import type { Write } from '../../functions/kernel/storage/write.ts';
import { findEngineProgram } from '../../lib/local/table/engine.ts';

/** The name of a database that was made by an import, in its folder. */
export const DATABASE = 'rows.db';
/** Lines that are compressed at once. */
const LINES_AT_ONCE = 2_000;

/** Attributes of index keys. Rows without them are in no index, which saves two thirds of the time and space of loading. */
const INDEX_KEY = /^gsi\d[ps]k$/;
const TIMES = /"(createdAt|updatedAt)":\{"S":"[^"]*"\}/g;

/** A row as a line of DynamoDB's export format, without its entries in indexes. */
export function formatRow(item: Record<string, unknown>): string {
  const base = Object.fromEntries(Object.entries(item).filter(([name]) => !INDEX_KEY.test(name)));
  return JSON.stringify({ Item: marshall(base, { removeUndefinedValues: true }) });
}

/** The lines of a record's rows by the values that differ from one record to another. */
export type Stencil = (values: readonly string[]) => string[];

/**
 * Makes the rows of many records of one kind as text, which is much faster than with the entity's code. That code makes the
 * rows of one record, in which the values of the other records are inserted.
 * @param make Makes the rows of a record with some values, such as ids, that differ from each other
 * @param samples Values for which the results of both ways are compared; their times may differ
 * @throws Error if they differ
 */
export function makeStencil(
  make: (values: readonly string[]) => readonly Write[],
  samples: readonly string[][],
): Stencil {
  const format = (values: readonly string[]) =>
    make(values).map(({ params }) => formatRow(params.Item as Record<string, unknown>));
  const markers = (samples[0] ?? []).map((_, at) => `marker${String(at).padStart(20, '0')}`);
  const parts = format(markers).map((line) => line.split(new RegExp(`(${markers.join('|')})`)));
  const places = parts.map((texts) => texts.map((text) => markers.indexOf(text)));
  const stencil: Stencil = (values) =>
    parts.map((texts, row) =>
      texts.map((text, at) => (at % 2 === 0 ? text : (values[places[row]?.[at] ?? 0] ?? ''))).join(''),
    );
  const compared = (lines: readonly string[]) => lines.map((line) => line.replace(TIMES, ''));
  for (const values of samples) {
    const [wanted, found] = [compared(format(values)), compared(stencil(values))];
    if (wanted.join() !== found.join()) throw new Error(`The rows of ${values.join(', ')} differ from the entity's`);
  }
  return stencil;
}

/** The lines of all rows of this process's table. */
async function readLines(): Promise<string[]> {
  const rows = await scanRows({ TableName: settings().GATEHOUSE_TABLE });
  return rows.map((row) => JSON.stringify({ Item: marshall(row) }));
}

function* joinLines(lines: Iterable<string>): Generator<string> {
  let joined: string[] = [];
  for (const line of lines) {
    if (joined.push(line) < LINES_AT_ONCE) continue;
    yield `${joined.join('\n')}\n`;
    joined = [];
  }
  yield joined.join('\n');
}

/**
 * Makes a database of the engine with the rows of this process's table and many more, by the engine's import of DynamoDB
 * exports.
 * @param folder An empty folder for the export and the database
 * @param lines Made by {@link Stencil}s or {@link formatRow}
 * @returns the database file
 * @throws Error with the output of the engine if the import fails
 */
export async function importRows(folder: string, lines: Iterable<string>): Promise<string> {
  const table = settings().GATEHOUSE_TABLE;
  const data = join(folder, 'export', table, 'data');
  await mkdir(data, { recursive: true });
  const schema = join(folder, 'schema.json');
  const { Table } = await withDocuments((client) => client.send(new DescribeTableCommand({ TableName: table })));
  await writeFile(schema, JSON.stringify({ Table }));
  const first = join(data, '1.json.gz');
  await pipeline(Readable.from(joinLines(await readLines())), createGzip(), createWriteStream(first));
  const second = join(data, '2.json.gz');
  await pipeline(Readable.from(joinLines(lines)), createGzip({ level: 1 }), createWriteStream(second));
  const file = join(folder, DATABASE);
  const args = ['import', '--source', join(folder, 'export'), '--schema', schema, '--output', file];
  const engine = spawn(findEngineProgram(), args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  engine.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-2_000)));
  const [status] = (await once(engine, 'close')) as [number | null];
  if (status !== 0) throw new Error(`The engine imported no rows: ${output}`);
  return file;
}
