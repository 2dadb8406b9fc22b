import type { Index } from './definition.ts';
import type { Table } from './table.ts';
import { computeItemSize, type Item } from './values.ts';
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
  keys: KeyUnits[];
}

/** The units of one partition key of the table, or of an index. */
export interface KeyUnits {
  index?: string | undefined;
  key: string;
  units: number;
}

/**
 * The capacity that an operation consumes, by table and index; it counts nothing unless the request wants it. `KEYS`, which DynamoDB does
 * not have, adds the units by partition key.
 */
export class Meter {
  readonly #wanted: string | undefined;
  readonly #tables = new Map<string, Units>();

  /** @param wanted the request's ReturnConsumedCapacity: `TOTAL`, `INDEXES` or `KEYS`; nothing is counted otherwise */
  constructor({ ReturnConsumedCapacity: wanted }: { ReturnConsumedCapacity?: string }) {
    this.#wanted = wanted === 'TOTAL' || wanted === 'INDEXES' || wanted === 'KEYS' ? wanted : undefined;
  }

  /** Adds the units of a read of a partition. */
  addRead(table: string, key: string, units: number, index?: string): void {
    if (this.#wanted === undefined) return;
    const of = this.#of(table);
    if (index === undefined) of.table += units;
    else of.indexes.set(index, (of.indexes.get(index) ?? 0) + units);
    if (this.#wanted === 'KEYS') of.keys.push({ index, key, units });
  }

  /**
   * Adds the units of a write: one for each KB of the larger of both rows, and for each index that changes.
   * @param factor 2 within a transaction
   */
  addWrite({ table, pk, former }: Written, row: Row | undefined, factor: 1 | 2): void {
    if (this.#wanted === undefined) return;
    this.addRead(table.name, pk, factor * writeUnits(Math.max(former?.size ?? 0, row?.size ?? 0)));
    if (former === row) return;
    for (const index of table.indexes) {
      for (const { key, units } of computeIndexUnits(table, index, former, row)) {
        this.addRead(table.name, key, factor * units, index.name);
      }
    }
  }

  #of(table: string): Units {
    const units = this.#tables.get(table) ?? { table: 0, indexes: new Map<string, number>(), keys: [] };
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
    return [...this.#tables].map(([TableName, { table, indexes, keys }]) => {
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
        ...(keys.length > 0 && { Keys: keys }),
      };
    });
  }
}

/** A row that a write changes. */
interface Written {
  table: Table;
  pk: string;
  former: Row | undefined;
}

/** The units of a change of an index: two writes if its key changes, none if the index has nothing that changed. */
function computeIndexUnits(table: Table, index: Index, former: Row | undefined, row: Row | undefined): KeyUnits[] {
  const { hash, range } = index.keys;
  const items = [former, row].flatMap((one): Item[] =>
    [one && table.project(index, one)].filter((item) => item !== undefined),
  );
  const writes = items.map((item) => ({ key: String(item[hash]?.S), units: writeUnits(computeItemSize(item)) }));
  const [before, after] = items;
  if (before === undefined || after === undefined) return writes;
  if (before[hash]?.S !== after[hash]?.S || before[range]?.S !== after[range]?.S) return writes;
  const key = String(after[hash]?.S);
  return table.isSame(before, after) ? [] : [{ key, units: Math.max(...writes.map(({ units }) => units)) }];
}
