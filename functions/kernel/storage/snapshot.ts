import { awaitAll } from '../concurrency.ts';
import { LruMap } from '../memory.ts';
import { StorageUnavailable } from './faults.ts';

/** Maximum number of attempts to read a set of rows that changes while it is read. */
const TRIES = 6;

/** The functions that read a set of rows and its version. */
export interface SnapshotSource<Rows, T> {
  /** Reads the version of the set with one strongly consistent read. */
  version: () => Promise<number>;
  /** Reads all rows of the set with strongly consistent reads. */
  rows: () => Promise<Rows>;
  /** Makes the cached value from the rows of a version. */
  compile: (rows: Rows, version: number) => T;
}

/**
 * Sets of rows that an instance caches by their version: only the version is read while it stays the same, so no
 * response depends on the age of the cache. The version is read again after the rows, so a cached value is one
 * consistent state of them.
 */
export class Snapshots<T> {
  readonly #kept: LruMap<{ version: number; value: T }>;

  /** @param most Maximum number of cached sets of rows. */
  constructor(most: number) {
    this.#kept = new LruMap(most);
  }

  /**
   * The current set. It takes one round trip if the set is cached, two if it is not.
   * @param known the version, if the caller has just read it: then a cached set needs no round trip
   * @throws StorageUnavailable for a set that changes during each attempt
   */
  async load<Rows>(key: string, source: SnapshotSource<Rows, T>, known?: number): Promise<T> {
    const kept = this.#kept.get(key);
    let version = known ?? (kept === undefined ? undefined : await source.version());
    if (kept !== undefined && version !== undefined && kept.version >= version) return kept.value;
    let rows: Rows;
    if (version === undefined) [version, rows] = await awaitAll([source.version(), source.rows()]);
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
