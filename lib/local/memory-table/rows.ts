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

/** Maximum entries of a block: an insertion moves at most these, however many rows the partition has. */
const MAX_BLOCK = 512;

/**
 * The rows of one partition of a table or an index, in the order of their sort keys, in blocks that are never empty. A predicate
 * `isBefore` of its methods is true for all entries before a place, and false for all after it.
 */
export class Partition {
  readonly #blocks: Entry[][] = [];

  /** The first entry for which `isBefore` is false. */
  find(isBefore: (entry: Entry) => boolean): Entry | undefined {
    const { block, at } = this.#locate(isBefore);
    return this.#blocks[block]?.[at];
  }

  /** The entries for which `isBefore` is false, the first one first. */
  *after(isBefore: (entry: Entry) => boolean): Generator<Entry> {
    const { block, at } = this.#locate(isBefore);
    for (let next = block; next < this.#blocks.length; next += 1) {
      const entries = this.#blocks[next] as Entry[];
      for (let index = next === block ? at : 0; index < entries.length; index += 1) yield entries[index] as Entry;
    }
  }

  /** The entries for which `isBefore` is true, the last one first. */
  *before(isBefore: (entry: Entry) => boolean): Generator<Entry> {
    const { block, at } = this.#locate(isBefore);
    for (let next = Math.min(block, this.#blocks.length - 1); next >= 0; next -= 1) {
      const entries = this.#blocks[next] as Entry[];
      for (let index = (next === block ? at : entries.length) - 1; index >= 0; index -= 1)
        yield entries[index] as Entry;
    }
  }

  /** Adds an entry, or replaces the one with the same key. */
  put(entry: Entry): void {
    const found = this.#locate((other) => compareEntries(other, entry) < 0);
    // An entry after all others goes to the end of the last block.
    const isLast = found.block === this.#blocks.length;
    const block = isLast ? found.block - 1 : found.block;
    const entries = this.#blocks[block];
    if (entries === undefined) {
      this.#blocks.push([entry]);
      return;
    }
    const at = isLast ? entries.length : found.at;
    const present = entries[at];
    const isThere = present !== undefined && compareEntries(present, entry) === 0;
    entries.splice(at, isThere ? 1 : 0, entry);
    if (entries.length > MAX_BLOCK) {
      // A full last block is kept whole: most keys are times or ids, which are added at the end.
      const cut = isLast ? MAX_BLOCK : MAX_BLOCK / 2;
      this.#blocks.splice(block + 1, 0, entries.splice(cut));
    }
  }

  remove(entry: Entry): void {
    const { block, at } = this.#locate((other) => compareEntries(other, entry) < 0);
    const entries = this.#blocks[block];
    const found = entries?.[at];
    if (entries === undefined || found === undefined || compareEntries(found, entry) !== 0) return;
    entries.splice(at, 1);
    if (entries.length === 0) this.#blocks.splice(block, 1);
  }

  /** The place of the first entry for which `isBefore` is false; behind the last block if there is none. */
  #locate(isBefore: (entry: Entry) => boolean): { block: number; at: number } {
    const block = countLeading(this.#blocks, (entries) => isBefore(entries.at(-1) as Entry));
    return { block, at: countLeading(this.#blocks[block] ?? [], isBefore) };
  }
}

/** Counts the elements before the first for which a predicate is false; it is false for all that follow. */
function countLeading<T>(list: readonly T[], matches: (element: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (matches(list[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
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
