import type { Table } from '../topology/model.ts';
import type { Engine } from './aws-call.ts';
import { type Item, putItems, readItems, tableNameOf } from './table/tables.ts';

/** Rows that a reset keeps. */
export interface Kept {
  /** Identifies their content. */
  id: string;
  /** Writes the initial rows into the emptied table. */
  restore: () => Promise<void>;
}

/** The options of the initial rows. */
export interface InitialRowsOptions {
  /** The table with the initial rows. */
  table: Table;
  engine: () => Engine;
  /** Writes the rows of every empty table. */
  begin: () => Promise<void>;
  /** Reads the rows that a reset keeps. */
  keep: () => Promise<Kept>;
}

/**
 * The rows of an emptied table: the environment, its key, and the keys that sign its tokens. They are committed as the
 * functions do once, and then written as items: one call of the engine instead of three transactions, in each of a test
 * run's thousands of resets.
 */
export class InitialRows {
  readonly #options: InitialRowsOptions;
  #known: { id: string; items: readonly Item[] } | undefined;

  constructor(options: InitialRowsOptions) {
    this.#options = options;
  }

  /** Reads what is kept. @returns writes all of them into the emptied table, and returns them */
  async keep(): Promise<() => Promise<readonly Item[]>> {
    const { table, engine, begin, keep } = this.#options;
    const { id, restore } = await keep();
    return async () => {
      if (this.#known?.id === id) {
        await putItems(engine(), tableNameOf(table), this.#known.items);
        return this.#known.items;
      }
      await begin();
      await restore();
      const items = await readItems(engine(), tableNameOf(table));
      this.#known = { id, items };
      return items;
    };
  }
}
