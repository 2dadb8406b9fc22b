import { compareText, type Item } from './values.ts';

/** A stored item with its key and its size in bytes. */
export interface Row {
  readonly item: Item;
  readonly size: number;
  readonly pk: string;
  readonly sk: string;
}

/** A row in its place of a partition. */
export interface Entry {
  /** The value of the sort key of the table or the index. */
  sort: string;
  row: Row;
}

/** The order within a partition. Entries of an index with equal sort keys are ordered by the keys of their rows. */
export function compareEntries(one: Entry, other: Entry): number {
  return (
    compareText(one.sort, other.sort) || compareText(one.row.pk, other.row.pk) || compareText(one.row.sk, other.row.sk)
  );
}

/** The rows of one partition of a table or an index, in the order of their sort keys. */
export class Partition {
  readonly entries: Entry[] = [];

  /** The index of the first entry for which `isBefore` is false; it is true for all entries before. */
  find(isBefore: (entry: Entry) => boolean): number {
    let [low, high] = [0, this.entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(this.entries[middle] as Entry)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Adds an entry, or replaces the one with the same key. */
  put(entry: Entry): void {
    const last = this.entries.at(-1);
    if (last === undefined || compareEntries(last, entry) < 0) {
      this.entries.push(entry);
      return;
    }
    const at = this.find((other) => compareEntries(other, entry) < 0);
    const isThere = compareEntries(this.entries[at] as Entry, entry) === 0;
    this.entries.splice(at, isThere ? 1 : 0, entry);
  }

  remove(entry: Entry): void {
    const at = this.find((other) => compareEntries(other, entry) < 0);
    const found = this.entries[at];
    if (found !== undefined && compareEntries(found, entry) === 0) this.entries.splice(at, 1);
  }
}

/** Partitions by their keys, in the order in which they were added, which is that of a scan. */
export class Partitions {
  readonly #byKey = new Map<string, { partition: Partition; at: number }>();
  /** The partitions by their position. An empty one keeps its place, because a scan may continue after it. */
  readonly inOrder: Partition[] = [];

  get(key: string): Partition | undefined {
    return this.#byKey.get(key)?.partition;
  }

  /** The position of a partition in the order of a scan; -1 if it is unknown. */
  findPosition(key: string): number {
    return this.#byKey.get(key)?.at ?? -1;
  }

  put(key: string, entry: Entry): void {
    const known = this.#byKey.get(key);
    if (known !== undefined) return known.partition.put(entry);
    const partition = new Partition();
    partition.put(entry);
    this.#byKey.set(key, { partition, at: this.inOrder.length });
    this.inOrder.push(partition);
  }

  remove(key: string, entry: Entry): void {
    this.get(key)?.remove(entry);
  }

  clear(): void {
    this.#byKey.clear();
    this.inOrder.length = 0;
  }
}
