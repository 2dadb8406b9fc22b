import { csvRecord } from '../../../../kernel/csv.ts';
import { MAX_ROWS } from './rules.ts';

/** The formats of the files of exports. */
export const FORMATS = ['csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

export const CONTENT_TYPES: Readonly<Record<Format, string>> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

/** A record of a list. */
export type Item = Readonly<Record<string, unknown>>;

/**
 * The byte order mark with which spreadsheets read a CSV as UTF-8. Without it some show letters beyond ASCII wrongly.
 */
const BYTE_ORDER_MARK = '\uFEFF';

/** The text of a value in a cell: nothing for null, JSON for an object or a list. */
function writeCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return JSON.stringify(value);
}

/** The first bytes of a file: for CSV the byte order mark and the names of the columns. */
const writeHead = (format: Format, columns: readonly string[]): string =>
  format === 'csv' ? `${BYTE_ORDER_MARK}${csvRecord(columns)}` : '';

/** The line of a record. NDJSON has all its members, CSV the columns. */
const writeItem = (format: Format, columns: readonly string[], item: Item): string =>
  format === 'csv' ? csvRecord(columns.map((name) => writeCell(item[name]))) : `${JSON.stringify(item)}\n`;

/** Characters of lines that are collected before they are written. */
const CHUNK_CHARACTERS = 262_144;

/** The parts of a file that a list determines. */
interface Lines {
  pages: AsyncIterable<readonly Item[]>;
  format: Format;
  columns: readonly string[];
  /** Adds bytes to the file. */
  write: (bytes: Buffer) => Promise<unknown>;
}

/** The number of records in a file, and whether the list has more than a file may have. */
export interface Written {
  rows: number;
  isTruncated: boolean;
}

/** Writes the records of a list, at most {@link MAX_ROWS} of them. It reads no page after the one with which a file is full. */
export async function writeLines({ pages, format, columns, write }: Lines): Promise<Written> {
  let text = writeHead(format, columns);
  let rows = 0;
  let isTruncated = false;
  for await (const items of pages) {
    const kept = items.slice(0, MAX_ROWS - rows);
    rows += kept.length;
    text += kept.map((item) => writeItem(format, columns, item)).join('');
    if (text.length >= CHUNK_CHARACTERS) {
      await write(Buffer.from(text));
      text = '';
    }
    isTruncated = kept.length < items.length;
    if (isTruncated) break;
  }
  await write(Buffer.from(text));
  return { rows, isTruncated };
}
