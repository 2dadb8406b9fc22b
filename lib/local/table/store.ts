import { awaitAll } from '../../../functions/kernel/concurrency.ts';
import type { Table } from '../../topology/model.ts';
import { StartError } from '../listen.ts';
import { MemoryTables } from '../memory-table/engine.ts';
import { emptyTables } from './empty-tables.ts';
import { removeTables, startTableEngine, type TableEngine, tableEngineAt } from './engine.ts';
import { dropTable, makeTable, tableNameOf } from './tables.ts';

/** The tables of the topology in an engine. */
export interface Tables {
  /** The current engine. */
  engine: () => TableEngine;
  /** The environment variables with the tables' names. */
  variables: Record<string, string>;
  /** Empties the tables that are written to. @param isWritten reports whether a table of this name was written to since the last reset */
  reset: (isWritten: (name: string) => boolean) => Promise<EmptiedStream>;
  close: () => Promise<void>;
}

/**
 * The stream of a table that was emptied: a new one, the same with its earlier records, or another one that has them
 * too.
 */
export type EmptiedStream = 'new' | 'same' | 'other';

/** The options of the tables. */
export interface TablesOptions {
  tables: readonly Table[];
  /** The database file; if absent, nothing is kept. */
  file: string | undefined;
  /** The address of the developer's own DynamoDB, which is used instead. */
  foreign: string | undefined;
  /** True if consumed capacity is counted, which the engine in this process's memory does not report. */
  measures: boolean;
  onLost: (reason: string) => void;
}

/**
 * Opens the tables: in an engine that is started here, in this process's memory, or in an engine that the developer runs.
 * @throws StartError
 */
export async function openTables({ tables, file, foreign, measures, onLost }: TablesOptions): Promise<Tables> {
  const variables = Object.fromEntries(tables.map((table) => [table.variable, tableNameOf(table)]));
  const make = async (engine: TableEngine): Promise<TableEngine> => {
    await awaitAll(tables.map((table) => makeTable(engine, tableNameOf(table), table, table.stream)));
    return engine;
  };
  if (foreign !== undefined) return openForeign(tables, foreign, make, variables);
  if (file === undefined && !measures) return openInMemory(make, variables);
  const start = async () => make(await startTableEngine(file, onLost));
  let engine = await start();
  return {
    engine: () => engine,
    variables,
    reset: async () => {
      if (file !== undefined && emptyTables(file, tables.map(tableNameOf))) return 'new';
      await engine.stop();
      if (file !== undefined) removeTables(file);
      engine = await start();
      return 'new';
    },
    close: () => engine.stop(),
  };
}

async function openInMemory(
  make: (engine: TableEngine) => Promise<TableEngine>,
  variables: Record<string, string>,
): Promise<Tables> {
  const tables = new MemoryTables();
  const engine = await make(tables.engine());
  return {
    engine: () => engine,
    variables,
    reset: async (isWritten) => {
      tables.clear(isWritten);
      return 'same';
    },
    close: () => engine.stop(),
  };
}

async function remake(engine: TableEngine, table: Table): Promise<void> {
  await dropTable(engine, tableNameOf(table));
  await makeTable(engine, tableNameOf(table), table, table.stream);
}

async function openForeign(
  tables: readonly Table[],
  url: string,
  make: (engine: TableEngine) => Promise<TableEngine>,
  variables: Record<string, string>,
): Promise<Tables> {
  const engine = tableEngineAt(url);
  try {
    await make(engine);
  } catch (error) {
    const reason = error instanceof Error ? error.message || String((error as { code?: string }).code) : String(error);
    throw new StartError(`The DynamoDB in AWS_ENDPOINT_URL_DYNAMODB (${url}) does not take the tables: ${reason}`);
  }
  return {
    engine: () => engine,
    variables,
    reset: async () => {
      await awaitAll(tables.map((table) => remake(engine, table)));
      return 'other';
    },
    close: async () => undefined,
  };
}
