import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Database, lockFile, openDatabase } from './database.ts';
import { StartError } from './listen.ts';

/**
 * The version of the folder's layout, which is incremented when the layout changes, or the keys of its rows. Before 2, another engine
 * wrote the tables; before 3, the lists of users had no shards.
 */
const LAYOUT = '3';

/** The runtime's own data: named values, the position of each reader of the stream, captured messages. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS remembered (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS checkpoints (
    reader TEXT NOT NULL, shard TEXT NOT NULL, sequence TEXT NOT NULL, PRIMARY KEY (reader, shard)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS messages (seq INTEGER PRIMARY KEY, recipient TEXT NOT NULL, message TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS messages_by_recipient ON messages (recipient, seq);
`;

/** The data folder, which only this process uses; in memory if it has no path. */
export interface DataFolder {
  /** The path of the folder; undefined for memory. */
  path: string | undefined;
  database: Database;
  /** The path of an engine's file; undefined for memory. */
  file: (name: string) => string | undefined;
  read: (name: string) => string | undefined;
  remember: (name: string, value: string) => void;
  /** Writes the URL of this process into the folder, for commands and for a second start. */
  announce: (running: object) => void;
  close: () => void;
}

/**
 * Opens the data folder exclusively for this process, or memory if there is no path.
 * @throws StartError if another process uses it, or it is unusable or damaged
 */
export function openDataFolder(path: string | undefined): DataFolder {
  const unlock = path === undefined ? () => undefined : lock(path);
  let database: Database;
  try {
    database = openDatabase(path, 'local.sqlite', TABLES, 'process');
  } catch (error) {
    unlock();
    throw damaged(path, error);
  }
  const get = database.prepare('SELECT value FROM remembered WHERE name = ?');
  const put = database.prepare('INSERT OR REPLACE INTO remembered VALUES (?, ?)');
  const folder: DataFolder = {
    path,
    database,
    file: (name) => (path === undefined ? undefined : join(path, name)),
    read: (name) => get.get(name)?.value as string | undefined,
    remember: (name, value) => void put.run(name, value),
    announce: (running) => {
      if (path === undefined) return;
      writeFileSync(join(path, 'running.json'), JSON.stringify({ pid: process.pid, ...running }), { mode: 0o600 });
    },
    close: () => {
      database.close();
      if (path !== undefined) rmSync(join(path, 'running.json'), { force: true });
      unlock();
    },
  };
  const layout = folder.read('layout') ?? LAYOUT;
  if (layout !== LAYOUT) {
    folder.close();
    throw new StartError(
      `The data in ${path} was written by another version, which this one cannot read (layout ${layout}, this is ${LAYOUT}). ` +
        'Remove the folder, move it away, or start with another one (--data FOLDER).',
    );
  }
  folder.remember('layout', LAYOUT);
  return folder;
}

/** Locks the folder. The lock ends with the process, so there is no stale one to remove by hand. */
function lock(path: string): () => void {
  let unlock: (() => void) | undefined;
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    makePrivate(join(path, 'lock.sqlite'));
    unlock = lockFile(join(path, 'lock.sqlite'));
  } catch (error) {
    throw damaged(path, error);
  }
  if (unlock !== undefined) return unlock;
  throw new StartError(
    `Another Gatehouse${describeHolder(path)} runs on the data folder ${path}. Stop it, or start this one with ` +
      'another folder (--data FOLDER) or without one (--ephemeral).',
  );
}

/**
 * Creates a file that only its owner can read, before an engine creates it with another mode; SQLite's companion files
 * inherit the mode.
 */
export function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

function describeHolder(path: string): string {
  try {
    const { pid, url } = JSON.parse(readFileSync(join(path, 'running.json'), 'utf8')) as { pid: number; url: string };
    return ` (process ${pid}, ${url})`;
  } catch {
    return '';
  }
}

/** Describes why a folder cannot be used. */
export function damaged(path: string | undefined, error: unknown): StartError {
  const reason = error instanceof Error ? error.message : String(error);
  return new StartError(
    `The data folder ${path ?? ''} cannot be used: ${reason}. If it is damaged, move it away or start with another ` +
      'one (--data FOLDER).',
  );
}
