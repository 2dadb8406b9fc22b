import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Maximum size of a database in bytes that is emptied in place. The file of a larger one is removed, which frees the disk. */
const LARGEST = 64 * 1_024 * 1_024;

/** The engine's lists of its tables and of the records of their streams. */
const TABLES = '_tables';
const STREAM_RECORDS = '_stream_records';

/**
 * Removes all items and stream records of a database while the engine has it open, in one transaction: the engine reads both from
 * the database with each call. That takes a few milliseconds, and a new engine on a new file ten times as many.
 * @param names the tables
 * @returns false if nothing was removed, because the database is large or another version of the engine has tables of other names
 */
export function emptyTables(file: string, names: readonly string[]): boolean {
  if (measureFile(file) + measureFile(`${file}-wal`) > LARGEST) return false;
  const database = new DatabaseSync(file, { timeout: 5_000 });
  try {
    database.exec('BEGIN IMMEDIATE');
    const found = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all()
      .map(({ name }) => String(name));
    const known = [...names, TABLES, STREAM_RECORDS];
    if (known.some((name) => !found.includes(name))) return false;
    const emptied = found.filter(
      (name) => name === STREAM_RECORDS || names.some((one) => name === one || name.startsWith(`${one}::`)),
    );
    for (const name of emptied) database.exec(`DELETE FROM "${name}"`);
    database.exec('COMMIT');
    return true;
  } finally {
    // A transaction that was not committed is rolled back.
    database.close();
  }
}

const measureFile = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
