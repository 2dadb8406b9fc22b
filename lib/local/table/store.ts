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
  reset: () => Promise<void>;
  close: () => Promise<void>;
}

/**
 * Opens the tables: in an engine of our own on a file or in memory, or in one that the developer runs.
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
  // In memory mode an empty engine is kept ready: a reset is then one exchange.
  let spare = file === undefined ? start() : undefined;
  spare?.catch(() => undefined);
  return {
    engine: () => engine,
    variables,
    reset: async () => {
      const old = engine;
      if (file === undefined) {
        engine = await (spare ?? start());
        spare = start();
        spare.catch(() => undefined);
        void old.stop();
        return;
      }
      await old.stop();
      removeTables(file);
      engine = await start();
    },
    close: async () => {
      await engine.stop();
      await spare?.then(
        (other) => other.stop(),
        () => undefined,
      );
    },
  };
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
      await Promise.all(tables.map((table) => dropTable(engine, tableNameOf(table))));
      await make(engine);
    },
    close: async () => undefined,
  };
}
