import { csvRecord } from '../../kernel/csv.ts';

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
export const writeHead = (format: Format, columns: readonly string[]): string =>
  format === 'csv' ? `${BYTE_ORDER_MARK}${csvRecord(columns)}` : '';

/** The line of a record. NDJSON has all its members, CSV the columns. */
export const writeItem = (format: Format, columns: readonly string[], item: Item): string =>
  format === 'csv' ? csvRecord(columns.map((name) => writeCell(item[name]))) : `${JSON.stringify(item)}\n`;
