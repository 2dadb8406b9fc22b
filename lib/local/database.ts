import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** A database, its statements and the values that they take: no other file uses SQLite's module, which may change with Node. */
export type Database = DatabaseSync;
export type Statement = StatementSync;
export type SqlValue = SQLInputValue;

const SQLITE_BUSY = 5;

/** Pages of the write-ahead log after which they are copied into the file, with a flush of the disk: 16 MB. */
const WAL_PAGES = 4_000;

/**
 * Opens one engine's SQLite file in the data folder (created if missing; only its owner can read it), or a database in
 * memory if there is no folder. Nothing else can open the file until it is closed. With `power` a commit survives a power
 * failure; without, it survives any end of the process (`kill -9`), which needs no disk flush.
 * @throws Error that names the file when it cannot be opened or is damaged
 */
export function openDatabase(
  dataFolder: string | undefined,
  file: string,
  tables: string,
  survives: 'power' | 'process',
): Database {
  if (dataFolder === undefined) {
    const memory = new DatabaseSync(':memory:');
    memory.exec(tables);
    return memory;
  }
  const path = join(dataFolder, file);
  try {
    mkdirSync(dataFolder, { recursive: true });
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
    const database = new DatabaseSync(path, { timeout: 2_000 });
    // No other process uses the folder (its lock), so the file is locked once instead of by each statement. The companion files of
    // WAL mode inherit the mode of the main file.
    database.exec(`
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;
      PRAGMA synchronous = ${survives === 'power' ? 'FULL' : 'NORMAL'}; PRAGMA wal_autocheckpoint = ${WAL_PAGES};
    `);
    database.exec(tables);
    return database;
  } catch (error) {
    throw new Error(`${path} cannot be opened: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** Quotes the name of a table, an index or a column. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The statements that begin and end a transaction. */
const boundaries = new WeakMap<Database, Record<'begin' | 'commit' | 'rollback', Statement>>();

function prepareBoundaries(database: Database): Record<'begin' | 'commit' | 'rollback', Statement> {
  const known = boundaries.get(database) ?? {
    begin: database.prepare('BEGIN IMMEDIATE'),
    commit: database.prepare('COMMIT'),
    rollback: database.prepare('ROLLBACK'),
  };
  boundaries.set(database, known);
  return known;
}

/** Runs `work` in one transaction: all of its writes, or none. It must not be asynchronous. */
export function transaction<T>(database: Database, work: () => T): T {
  const { begin, commit, rollback } = prepareBoundaries(database);
  begin.run();
  try {
    const result = work();
    commit.run();
    return result;
  } catch (error) {
    rollback.run();
    throw error;
  }
}

/**
 * Locks a file by an open transaction: the operating system releases it when the process ends, even after a crash.
 * @returns unlocks it; undefined if another process has the lock
 * @throws Error if the file is no database
 */
export function lockFile(path: string): (() => void) | undefined {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return () => database.close();
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
}
