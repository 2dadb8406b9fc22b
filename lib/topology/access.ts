/** The names of the two tables (`Table` in `model.ts`). */
type TableName = 'records' | 'keys';

/** The kinds of rows and the purposes of keys that the code of a function uses. */
export interface Access {
  /** The kinds of rows that it writes. */
  writes: readonly string[];
  /** The kinds of rows in which it only stamps the day of their use. */
  stamps: readonly string[];
  /** The purposes for which it encrypts with the stage's KMS key. */
  seals: readonly string[];
  /** The purposes for which it decrypts with the stage's KMS key. */
  opens: readonly string[];
  /** True if it removes rows of any kind: all rows of an owner. */
  erases?: boolean;
}

/** The access of all functions, as `npm run permissions` derives it. */
export interface AccessTable {
  /** By table, the partition keys of each kind of row: `#kind#*` after the id of an environment, or those of a row of the stage. */
  keys: Readonly<Record<TableName, Readonly<Record<string, string>>>>;
  functions: Readonly<Record<string, Access>>;
}

/** The permissions of a function, with the partition keys of the rows as patterns in which `?` is one character. */
export interface Permissions extends Omit<Access, 'writes' | 'stamps'> {
  /** The keys of the rows that it may write, by table. */
  writes: Readonly<Record<TableName, readonly string[]>>;
  /** The keys of the rows that it may stamp. */
  stamps: readonly string[];
}

/** All ids of environments, with one `?` for each character of the ULID: a pattern of any length could match a part of a key's kind. */
const ENVIRONMENT = `environment_${'?'.repeat(26)}`;

/** Kinds that also have rows without an environment: attempts are counted before it is known. */
const OF_NO_ENVIRONMENT = new Set(['attempts']);

const listPatterns = (kind: string, key: string): string[] => {
  if (!key.startsWith('#')) return [key];
  return [`${ENVIRONMENT}${key}`, ...(OF_NO_ENVIRONMENT.has(kind) ? [key] : [])];
};

const NOTHING: Access = { writes: [], stamps: [], seals: [], opens: [] };

/** The permissions of a function that uses neither a table nor the stage's KMS key. */
export const noPermissions: Permissions = { ...NOTHING, writes: { records: [], keys: [] } };

/** The permissions of a function. A function that is not in the table may write nothing and decrypt nothing. */
export function readPermissions(name: string, { keys, functions }: AccessTable): Permissions {
  const { writes, stamps, ...access } = functions[name] ?? NOTHING;
  const select = (table: TableName, kinds: readonly string[]): string[] => [
    ...new Set(
      kinds.flatMap((kind) => {
        const key = keys[table][kind];
        return key === undefined ? [] : listPatterns(kind, key);
      }),
    ),
  ];
  return {
    ...access,
    writes: { records: select('records', writes), keys: select('keys', writes) },
    stamps: select('records', stamps),
  };
}
