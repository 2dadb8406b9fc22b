/**
 * CSV according to RFC 4180: fields are quoted if necessary, and records end with CRLF.
 *
 * A spreadsheet runs a cell that starts with one of `= + - @`, a tab or a carriage return as a formula. Such a cell
 * gets a leading apostrophe, which spreadsheets read as "this is text". {@link unguarded} removes it again
 * unambiguously: a cell that starts with apostrophes before such a sign gets one more.
 */
const FORMULA = /^'*[=+\-@\t\r]/;
const GUARDED = /^'+[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

const guarded = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell);

/** A cell as it was before it was made safe for spreadsheets. */
export const unguarded = (cell: string): string => (GUARDED.test(cell) ? cell.slice(1) : cell);

/** Reports whether a spreadsheet runs a cell of a file as a formula, because it has no leading apostrophe. */
export const isFormula = (cell: string): boolean => FORMULA.test(cell) && !GUARDED.test(cell);

/** Serializes a record with its line ending. */
export function csvRecord(cells: readonly string[]): string {
  const fields = cells.map((cell) => {
    const safe = guarded(cell);
    return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  });
  return `${fields.join(',')}\r\n`;
}

/** A record of the file. */
export interface CsvRecord {
  /** The fields as written in the file: without quotes, with the leading apostrophes. */
  cells: string[];
  /** The line of the file on which it starts, counted from 1. */
  line: number;
}

/** The text violates RFC 4180. */
export class CsvError extends Error {
  override name = 'CsvError';
}

/**
 * The records of a text that arrives in chunks; a quoted field may span lines and chunks. Lines may also end with LF
 * without CR.
 * @throws CsvError for an unclosed quote, or text after a closing quote
 */
export async function* parseCsv(chunks: AsyncIterable<string> | Iterable<string>): AsyncGenerator<CsvRecord> {
  const state = { cells: [] as string[], field: '', mode: 'start' as Mode, line: 1, startLine: 1 };
  for await (const chunk of chunks) {
    for (const sign of chunk) {
      if (step(state, sign)) {
        yield { cells: state.cells, line: state.startLine };
        state.cells = [];
        state.startLine = state.line;
      }
    }
  }
  if (state.mode === 'quoted') throw new CsvError(`The quote in the record of line ${state.startLine} never ends.`);
  if (state.field !== '' || state.cells.length > 0) {
    endField(state);
    yield { cells: state.cells, line: state.startLine };
  }
}

/**
 * The state within a record: at the `start` of a field, within a `plain` or a `quoted` field, or after a quote that may
 * have `closed` the field.
 */
type Mode = 'start' | 'plain' | 'quoted' | 'closed';

interface State {
  cells: string[];
  field: string;
  mode: Mode;
  line: number;
  startLine: number;
}

function endField(state: State): void {
  state.cells.push(state.field);
  state.field = '';
  state.mode = 'start';
}

/**
 * Processes one character.
 * @returns true if a record ended
 */
function step(state: State, sign: string): boolean {
  if (sign === '\n') state.line += 1;
  if (state.mode === 'quoted') {
    if (sign === '"') state.mode = 'closed';
    else state.field += sign;
    return false;
  }
  if (sign === '"' && state.mode === 'closed') {
    state.field += '"';
    state.mode = 'quoted';
  } else if (sign === '"' && state.mode === 'start') {
    state.mode = 'quoted';
  } else if (sign === ',') {
    endField(state);
  } else if (sign === '\n') {
    const isBlank = state.cells.length === 0 && state.field === '' && state.mode === 'start';
    if (isBlank) state.startLine = state.line;
    else endField(state);
    return !isBlank;
  } else if (sign !== '\r') {
    if (state.mode === 'closed') throw new CsvError(`Line ${state.line} has text after a closing quote.`);
    state.field += sign;
    state.mode = 'plain';
  }
  return false;
}
