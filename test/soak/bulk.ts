import { marshall } from '@aws-sdk/util-dynamodb';

import { settings } from '../../functions/kernel/settings.ts';
import { scanRows } from '../support/documents.ts';
import { openTables } from '../support/table.ts';
import type { Write } from '../../functions/kernel/storage/write.ts';
import type { Item } from '../../lib/local/dynamodb/values.ts';
import { EngineRows } from './engine-rows.ts';

/** Attributes of index keys, and those of which only these are made. Rows without them are in no index, which saves two thirds of the time and space of loading. */
const INDEX_KEY = /^(gsi\d[ps]k|owner|listShard)$/;
const TIMES = /"(createdAt|updatedAt)":\{"S":"[^"]*"\}/g;

/** A row as a line of JSON, without its entries in indexes. */
export function formatRow(item: Record<string, unknown>): string {
  const base = Object.fromEntries(Object.entries(item).filter(([name]) => !INDEX_KEY.test(name)));
  return JSON.stringify(marshall(base, { removeUndefinedValues: true }));
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

/**
 * Makes a database with the rows of this process's table and many more.
 * @param folder An empty folder for the database
 * @param lines Made by {@link Stencil}s or {@link formatRow}
 */
export async function importRows(folder: string, lines: Iterable<string>): Promise<void> {
  const present = await scanRows({ TableName: settings().GATEHOUSE_TABLE });
  // The tables are created in the folder.
  await (await openTables(folder)).stop();
  const rows = new EngineRows(folder);
  for (const row of present) rows.write(marshall(row) as unknown as Item);
  for (const line of lines) rows.write(JSON.parse(line) as Item);
  rows.close();
}
