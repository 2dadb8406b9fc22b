import { awaitAll } from '../../../functions/kernel/concurrency.ts';
import type { Table } from '../../topology/model.ts';
import { openDatabase } from '../database.ts';
import { CATALOG, LocalTables } from '../dynamodb/engine.ts';
import { StartError } from '../listen.ts';
import { type TableEngine, tableEngineAt } from './engine.ts';
import { dropTable, makeTable, tableNameOf } from './tables.ts';

/** The tables of the topology in an engine. */
export interface Tables {
  engine: TableEngine;
  /** The environment variables with the tables' names. */
  variables: Record<string, string>;
  /** Empties the tables. */
  reset: () => Promise<EmptiedStream>;
  close: () => Promise<void>;
}

/** The stream of a table that was emptied: the same one, or another one; it may have records from before. */
export type EmptiedStream = 'same' | 'other';

/** The options of the tables. */
export interface TablesOptions {
  tables: readonly Table[];
  /** The data folder; if absent, nothing is kept. */
  folder: string | undefined;
  /** The address of the developer's own DynamoDB, which is used instead. */
  foreign: string | undefined;
}

/**
 * Opens the tables in this process, or in an engine that the developer runs.
 * @throws StartError
 */
export function openTables(options: TablesOptions): Promise<Tables> {
  return options.foreign === undefined ? openOwn(options) : openForeign(options.tables, options.foreign);
}

/** Opens the engine in this process on the data folder, or in memory. */
export const openEngine = (folder: string | undefined): LocalTables =>
  // A commit is not flushed to the disk, which costs ten times the write: the data survives the process, not a power failure.
  new LocalTables(openDatabase(folder, 'table.sqlite', CATALOG, 'process'), folder !== undefined);

async function openOwn({ tables, folder }: TablesOptions): Promise<Tables> {
  const local = openEngine(folder);
  const engine = local.engine();
  await makeTables(engine, tables);
  return {
    engine,
    variables: nameTables(tables),
    reset: async () => {
      local.clear();
      return 'same';
    },
    close: engine.stop,
  };
}

const nameTables = (tables: readonly Table[]): Record<string, string> =>
  Object.fromEntries(tables.map((table) => [table.variable, tableNameOf(table)]));

async function makeTables(engine: TableEngine, tables: readonly Table[]): Promise<void> {
  await awaitAll(tables.map((table) => makeTable(engine, tableNameOf(table), table, table.stream)));
}

async function openForeign(tables: readonly Table[], url: string): Promise<Tables> {
  const engine = tableEngineAt(url);
  try {
    await makeTables(engine, tables);
  } catch (error) {
    const reason = error instanceof Error ? error.message || String((error as { code?: string }).code) : String(error);
    throw new StartError(`The DynamoDB in AWS_ENDPOINT_URL_DYNAMODB (${url}) does not take the tables: ${reason}`);
  }
  return {
    engine,
    variables: nameTables(tables),
    reset: async () => {
      await awaitAll(tables.map((table) => dropTable(engine, tableNameOf(table))));
      await makeTables(engine, tables);
      return 'other';
    },
    close: engine.stop,
  };
}
