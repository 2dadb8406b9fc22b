import type { Table } from '../../topology/model.ts';
import { StartError } from '../listen.ts';
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

/**
 * Number of resets in memory after which the engine is restarted. Recreating the tables takes 3 ms, and a new process 25 ms
 * of CPU time; but the engine keeps the stream of a removed table, and slows down by 10 % with each 500 writes.
 */
const RESETS_OF_AN_ENGINE = 40;

/**
 * Opens the tables: in an engine that is started here, on a file or in memory, or in one that the developer runs.
 * @throws StartError
 */
export async function openTables(
  tables: readonly Table[],
  file: string | undefined,
  foreign: string | undefined,
  onLost: (reason: string) => void,
): Promise<Tables> {
  const variables = Object.fromEntries(tables.map((table) => [table.variable, tableNameOf(table)]));
  const make = async (engine: TableEngine): Promise<TableEngine> => {
    await Promise.all(tables.map((table) => makeTable(engine, tableNameOf(table), table, table.stream)));
    return engine;
  };
  if (foreign !== undefined) return openForeign(tables, foreign, make, variables);
  const start = async () => make(await startTableEngine(file, onLost));
  let engine = await start();
  let resets = 0;
  return {
    engine: () => engine,
    variables,
    reset: async (isWritten) => {
      resets += 1;
      if (file === undefined && resets % RESETS_OF_AN_ENGINE !== 0) {
        await Promise.all(
          tables.filter((table) => isWritten(tableNameOf(table))).map((table) => remake(engine, table)),
        );
        return 'same';
      }
      await engine.stop();
      if (file !== undefined) removeTables(file);
      engine = await start();
      return 'new';
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
      await Promise.all(tables.map((table) => remake(engine, table)));
      return 'other';
    },
    close: async () => undefined,
  };
}
