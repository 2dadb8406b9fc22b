import { Memory } from '../memory.ts';
import { StorageUnavailable } from './faults.ts';

/** Times that a set of rows is read again because it changed while it was read. */
const TRIES = 6;

/** How a set of rows is read. */
export interface SnapshotSource<Rows, T> {
  /** One strongly consistent read of its version. */
  version: () => Promise<number>;
  /** Strongly consistent reads of all of it. */
  rows: () => Promise<Rows>;
  /** What is kept of the rows of a version. */
  compile: (rows: Rows, version: number) => T;
}

/**
 * Sets of rows that an instance keeps by their version: nothing is read but the version while it stays the same, and no
 * response depends on the age of what is kept. The version is read again after the rows, so what is kept is one state of them.
 */
export class Snapshots<T> {
  readonly #kept: Memory<{ version: number; value: T }>;

  /** @param most Sets kept. */
  constructor(most: number) {
    this.#kept = new Memory(most);
  }

  /**
   * The set as it is now. One round trip when it is kept, two when it is not.
   * @param known The version, where the caller has just read it: no round trip when the set is kept.
   * @throws StorageUnavailable for a set that changes all the time.
   */
  async load<Rows>(key: string, source: SnapshotSource<Rows, T>, known?: number): Promise<T> {
    const kept = this.#kept.get(key);
    let version = known ?? (kept === undefined ? undefined : await source.version());
    if (kept !== undefined && version !== undefined && kept.version >= version) return kept.value;
    let rows: Rows;
    if (version === undefined) [version, rows] = await Promise.all([source.version(), source.rows()]);
    else rows = await source.rows();
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      const after = await source.version();
      if (after === version) {
        const value = source.compile(rows, version);
        this.#kept.set(key, { version, value });
        return value;
      }
      version = after;
      rows = await source.rows();
    }
    throw new StorageUnavailable('A set of rows changed each time it was read');
  }
}
