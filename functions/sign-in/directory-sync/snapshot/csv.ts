/** A record of a CSV text, with the number of the line on which it begins. */
export interface CsvRecord {
  line: number;
  values: string[];
}

/** A CSV text that is not valid. */
export class CsvError extends Error {
  override name = 'CsvError';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

const FIELD = /"((?:[^"]|"")*)"|([^",\r\n]*)/y;

/**
 * Parses CSV (RFC 4180): values separated by commas, quoted values with doubled quotes and line breaks, lines ended by CRLF or
 * LF. Empty lines are skipped.
 * @throws CsvError that names the line
 */
export function parseCsv(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let line = 1;
  let at = 0;
  while (at < text.length) {
    const record: CsvRecord = { line, values: [] };
    for (;;) {
      FIELD.lastIndex = at;
      const [whole = '', quoted, plain = ''] = FIELD.exec(text) ?? [];
      record.values.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
      line += quoted?.split('\n').length ? quoted.split('\n').length - 1 : 0;
      at += whole.length;
      if (text[at] !== ',') break;
      at += 1;
    }
    if (text.startsWith('\r\n', at)) at += 2;
    else if (text[at] === '\n') at += 1;
    else if (at < text.length) {
      throw new CsvError(
        line,
        'A quote is within a value or not closed: quote the whole value, and double quotes in it.',
      );
    }
    line += 1;
    if (record.values.some((value) => value !== '')) records.push(record);
  }
  return records;
}
