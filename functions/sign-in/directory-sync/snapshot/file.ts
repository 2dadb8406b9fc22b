import { JsonError, parseJson } from '../../../kernel/json.ts';
import { ENTERPRISE_SCHEMA } from '../scim/definitions.ts';
import { applyPatch } from '../scim/patch.ts';
import { ScimProblem } from '../scim/problem.ts';
import { type Attributes, checkAttributes, readAttributes } from '../scim/resource.ts';
import { isAttributePath } from '../user/custom.ts';
import { CsvError, parseCsv } from './csv.ts';

/** Maximum users of a snapshot. */
export const MAX_ROWS = 50_000;
/** Maximum errors that a snapshot shows. */
const MAX_ERRORS = 20;

export type SnapshotFormat = 'csv' | 'ndjson';

/** An error of a snapshot, at a line of its text. */
export interface LineError {
  line: number;
  message: string;
}

/** A user of a snapshot. */
export interface SnapshotRow {
  line: number;
  attributes: Attributes;
}

/** The users of a snapshot, or the errors of its text. */
export interface SnapshotFile {
  rows: SnapshotRow[];
  errors: LineError[];
}

/** The SCIM paths of short names of columns; any other column is named by a path. */
const COLUMNS: Readonly<Record<string, string>> = {
  user_name: 'userName',
  username: 'userName',
  external_id: 'externalId',
  email: 'emails[type eq "work"].value',
  first_name: 'name.givenName',
  last_name: 'name.familyName',
  display_name: 'displayName',
  job_title: 'title',
  department: `${ENTERPRISE_SCHEMA}:department`,
  division: `${ENTERPRISE_SCHEMA}:division`,
  cost_center: `${ENTERPRISE_SCHEMA}:costCenter`,
  employee_number: `${ENTERPRISE_SCHEMA}:employeeNumber`,
  manager_email: `${ENTERPRISE_SCHEMA}:manager.value`,
};

/** A user of a text that is not parsed yet. */
interface Source {
  line: number;
  /** @throws ScimProblem or JsonError */
  read: () => Attributes;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A user who is in a snapshot is active unless the snapshot says otherwise. */
function toAttributes(read: Attributes): Attributes {
  const attributes = { active: true, ...read };
  checkAttributes('User', attributes);
  return attributes;
}

/** The objects of a text with one JSON object in each line, as functions that parse them. */
function listJsonLines(text: string): Source[] {
  return text.split('\n').flatMap((source, at) => {
    if (source.trim() === '') return [];
    const read = (): Attributes => {
      const value = parseJson(source);
      if (!isObject(value)) throw new ScimProblem('invalidSyntax', 'The line must be a JSON object.');
      return readAttributes('User', value);
    };
    return [{ line: at + 1, read }];
  });
}

/** The records of a CSV text, as functions that parse them. */
function listCsvRecords(text: string): Source[] {
  const [head, ...records] = parseCsv(text);
  if (head === undefined) throw new CsvError(1, 'The text has no line with the names of the columns.');
  const columns = head.values.map((name) => name.trim());
  const paths = columns.map((name) => COLUMNS[name.toLowerCase()] ?? name);
  const wrong = paths.findIndex((path) => !isAttributePath(path));
  if (wrong >= 0) {
    throw new CsvError(
      1,
      `The column ${JSON.stringify(columns[wrong]?.slice(0, 100))} is no attribute and no SCIM path.`,
    );
  }
  if (new Set(paths.map((path) => path.toLowerCase())).size < paths.length) {
    throw new CsvError(1, 'Two columns name the same attribute.');
  }
  return records.map(({ line, values }) => ({
    line,
    read: () => {
      if (values.length > paths.length)
        throw new ScimProblem('invalidSyntax', 'The line has more values than columns.');
      const Operations = values.flatMap((value, at) =>
        value.trim() === '' ? [] : [{ op: 'add', path: paths[at], value: value.trim() }],
      );
      const { attributes } = applyPatch('User', {}, { Operations });
      const [email] = (attributes.emails ?? []) as { value?: string }[];
      return { userName: email?.value, ...attributes };
    },
  }));
}

/** The sources of a text, or the error of the text as a whole. */
function listSources(format: SnapshotFormat, text: string): Source[] | LineError {
  try {
    const sources = format === 'csv' ? listCsvRecords(text) : listJsonLines(text);
    if (sources.length <= MAX_ROWS) return sources;
    return { line: MAX_ROWS + 1, message: `A snapshot has at most ${MAX_ROWS} users.` };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { line: error.line, message: error.message };
  }
}

/** Parses a source; the error names its line. */
function readRow(
  { line, read }: Source,
  checkOnce: (line: number, name: string, value: unknown) => void,
): SnapshotRow | LineError {
  try {
    const attributes = toAttributes(read());
    checkOnce(line, 'userName', String(attributes.userName).toLowerCase());
    checkOnce(line, 'externalId', attributes.externalId);
    return { line, attributes };
  } catch (error) {
    if (!(error instanceof ScimProblem || error instanceof JsonError)) throw error;
    return { line, message: error.message };
  }
}

/**
 * Parses the text of a snapshot. Two users with the same `userName` (in any case) or the same `externalId` are errors.
 * @returns the users, or up to 20 errors; with an error the snapshot cannot be used
 */
export function readSnapshot(format: SnapshotFormat, content: string): SnapshotFile {
  const sources = listSources(format, content.replace(/^\uFEFF/, ''));
  if (!Array.isArray(sources)) return { rows: [], errors: [sources] };
  const seen = new Map<string, number>();
  const checkOnce = (line: number, name: string, value: unknown): void => {
    if (typeof value !== 'string') return;
    const former = seen.get(`${name} ${value}`);
    if (former !== undefined) throw new ScimProblem('uniqueness', `Line ${former} has the same ${name}.`);
    seen.set(`${name} ${value}`, line);
  };
  const file: SnapshotFile = { rows: [], errors: [] };
  for (const source of sources) {
    const row = readRow(source, checkOnce);
    if ('attributes' in row) file.rows.push(row);
    else file.errors.push(row);
    if (file.errors.length === MAX_ERRORS) break;
  }
  return file;
}
