import type { Index } from './definition.ts';
import type { Table } from './table.ts';
import { computeItemSize } from './values.ts';
import type { Row } from './rows.ts';

const READ_BYTES = 4_096;
const WRITE_BYTES = 1_024;

/** The units of a read of items of a size in bytes: half a unit for 4 KB, twice as much for a consistent read; one of nothing costs as one of 4 KB. */
export const readUnits = (bytes: number, isConsistent: boolean | undefined): number =>
  Math.max(1, Math.ceil(bytes / READ_BYTES)) * (isConsistent === true ? 1 : 0.5);

const writeUnits = (bytes: number): number => Math.max(1, Math.ceil(bytes / WRITE_BYTES));

/** The units of one table. */
interface Units {
  table: number;
  indexes: Map<string, number>;
}

/** The capacity that an operation consumes, by table and index; it counts nothing unless the request wants it. */
export class Meter {
  readonly #wanted: string | undefined;
  readonly #tables = new Map<string, Units>();

  /** @param wanted the request's ReturnConsumedCapacity: `TOTAL` or `INDEXES`; nothing is counted otherwise */
  constructor({ ReturnConsumedCapacity: wanted }: { ReturnConsumedCapacity?: string }) {
    this.#wanted = wanted === 'TOTAL' || wanted === 'INDEXES' ? wanted : undefined;
  }

  /** Adds the units of a read. */
  addRead(table: string, units: number, index?: string): void {
    if (this.#wanted === undefined) return;
    const of = this.#of(table);
    if (index === undefined) of.table += units;
    else of.indexes.set(index, (of.indexes.get(index) ?? 0) + units);
  }

  /**
   * Adds the units of a write: one for each KB of the larger of both rows, and for each index that changes.
   * @param factor 2 within a transaction
   */
  addWrite(table: Table, former: Row | undefined, row: Row | undefined, factor: 1 | 2): void {
    if (this.#wanted === undefined) return;
    this.addRead(table.name, factor * writeUnits(Math.max(former?.size ?? 0, row?.size ?? 0)));
    if (former === row) return;
    for (const index of table.indexes) {
      const units = computeIndexUnits(table, index, former, row);
      if (units > 0) this.addRead(table.name, factor * units, index.name);
    }
  }

  #of(table: string): Units {
    const units = this.#tables.get(table) ?? { table: 0, indexes: new Map<string, number>() };
    this.#tables.set(table, units);
    return units;
  }

  /** The member of the response to an operation on one table. */
  one(): { ConsumedCapacity?: object } {
    const [first] = this.#list();
    return first === undefined ? {} : { ConsumedCapacity: first };
  }

  /** The member of the response to an operation on several tables. */
  all(): { ConsumedCapacity?: readonly object[] } {
    return this.#wanted === undefined ? {} : { ConsumedCapacity: this.#list() };
  }

  #list(): object[] {
    return [...this.#tables].map(([TableName, { table, indexes }]) => {
      const CapacityUnits = [...indexes.values()].reduce((sum, units) => sum + units, table);
      if (this.#wanted === 'TOTAL') return { TableName, CapacityUnits };
      const GlobalSecondaryIndexes = Object.fromEntries(
        [...indexes].map(([name, units]) => [name, { CapacityUnits: units }]),
      );
      return {
        TableName,
        CapacityUnits,
        Table: { CapacityUnits: table },
        ...(indexes.size > 0 && { GlobalSecondaryIndexes }),
      };
    });
  }
}

/** The units of a change of an index: two writes if its key changes, none if the index has nothing that changed. */
function computeIndexUnits(table: Table, index: Index, former: Row | undefined, row: Row | undefined): number {
  const [before, after] = [former, row].map((one) => one && table.project(index, one));
  const sizes = [before, after].map((item) => (item === undefined ? 0 : computeItemSize(item)));
  if (before === undefined || after === undefined) return before === after ? 0 : writeUnits(Math.max(...sizes));
  const { hash, range } = index.keys;
  if (before[hash]?.S !== after[hash]?.S || before[range]?.S !== after[range]?.S) {
    return sizes.reduce((sum, size) => sum + writeUnits(size), 0);
  }
  return table.isSame(before, after) ? 0 : writeUnits(Math.max(...sizes));
}
