import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Opens one engine's SQLite file in the data folder (created if missing; only its owner can read it), or a database in
 * memory if there is no folder. With `power` a commit survives a power failure; without, it survives any end of the
 * process (`kill -9`), which needs no disk flush.
 * @throws Error that names the file when it cannot be opened or is damaged
 */
export function openDatabase(
  dataFolder: string | undefined,
  file: string,
  tables: string,
  survives: 'power' | 'process',
): DatabaseSync {
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
    // The companion files of WAL mode inherit the mode of the main file.
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${survives === 'power' ? 'FULL' : 'NORMAL'};`);
    database.exec(tables);
    return database;
  } catch (error) {
    throw new Error(`${path} cannot be opened: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** Runs `work` in one transaction: all of its writes, or none. It must not be asynchronous. */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}
