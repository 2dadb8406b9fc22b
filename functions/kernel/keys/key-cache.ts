import { currentFunction } from '../aws-requests.ts';

/** Bounds of a cache of data keys. */
export interface KeyCacheBounds {
  /** The clock, in milliseconds. */
  now: () => number;
  /** Milliseconds for which a key is used, from the moment it was requested. */
  maxAgeMs: number;
  /** Maximum uses of a key. */
  maxUses: number;
  /** Maximum number of keys; the least recently used is evicted first. */
  maxKeys: number;
}

/** A cache entry with the bytes of a key. */
interface KeyBytes {
  plaintext: Uint8Array;
}

interface Slot<K extends KeyBytes> {
  loading: Promise<K>;
  since: number;
  uses: number;
}

/**
 * A cache of data keys in memory. Concurrent first uses share one load, a failed load is removed at once, and the bytes of
 * an evicted key are overwritten.
 */
export class KeyCache<K extends KeyBytes> {
  readonly #bounds: KeyCacheBounds;
  /** The entries in the order of use: the first is evicted next. */
  readonly #slots = new Map<string, Slot<K>>();

  constructor(bounds: KeyCacheBounds) {
    this.#bounds = bounds;
  }

  /** Does synchronous work with the key of an id, and loads it first if it is not cached or has expired. */
  async use<T>(id: string, load: () => Promise<K>, work: (key: K) => T): Promise<T> {
    const slot = this.#slot(`${currentFunction()} ${id}`, load);
    slot.uses += 1;
    return work(await slot.loading);
  }

  #slot(id: string, load: () => Promise<K>): Slot<K> {
    const cached = this.#slots.get(id);
    if (cached && this.#serves(cached)) {
      this.#slots.delete(id);
      this.#slots.set(id, cached);
      return cached;
    }
    this.#dropSpent();
    const slot: Slot<K> = { loading: load(), since: this.#bounds.now(), uses: 0 };
    slot.loading.catch(() => this.#drop(id, slot));
    if (cached) this.#drop(id, cached);
    this.#slots.set(id, slot);
    for (const [oldest, each] of this.#slots) {
      if (this.#slots.size <= this.#bounds.maxKeys) break;
      this.#drop(oldest, each);
    }
    return slot;
  }

  #serves(slot: Slot<K>): boolean {
    const age = this.#bounds.now() - slot.since;
    return age >= 0 && age < this.#bounds.maxAgeMs && slot.uses < this.#bounds.maxUses;
  }

  #dropSpent(): void {
    for (const [id, slot] of this.#slots) if (!this.#serves(slot)) this.#drop(id, slot);
  }

  #drop(id: string, slot: Slot<K>): void {
    if (this.#slots.get(id) === slot) this.#slots.delete(id);
    // No further caller waits for an evicted entry, and a promise calls its waiting functions in order. So this runs after
    // all of their synchronous work, and nothing is ever encrypted with a key of zeroes.
    slot.loading.then(
      (key) => key.plaintext.fill(0),
      () => {},
    );
  }
}
