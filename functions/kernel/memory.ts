import { clock } from './clock.ts';

/**
 * A bounded map of an instance between calls. The least recently used entry is evicted first, and an entry is ignored when the
 * local runtime has emptied the table. It is written by hand because lru-cache does not take the epoch that clears it.
 *
 * Entries have no lifetime, so it holds only what age cannot make wrong: values that never change, values that are compared with a
 * version at each use, and predictions that are verified. Whatever can be revoked belongs into a {@link TtlCache}.
 */
export class LruMap<T> {
  readonly #most: number;
  readonly #entries = new Map<string, { value: T; epoch: number }>();

  /** @param most Maximum number of entries. */
  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (entry.epoch !== clock.epoch()) return undefined;
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: T): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, epoch: clock.epoch() });
    if (this.#entries.size <= this.#most) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}

/**
 * A bounded cache of what was read, for a limited time. Only a read adds an entry, and its age counts from the start of that read:
 * there is no method by which the use of an entry could prolong it. So a revocation takes effect within the lifetime, however often
 * the entry is used.
 */
export class TtlCache<T> {
  readonly #entries: LruMap<{ value: T; until: number }>;
  readonly #lifetimeMs: () => number;

  /**
   * @param most Maximum number of entries.
   * @param lifetime Milliseconds from the start of a read, or a function that returns them.
   */
  constructor(most: number, lifetime: number | (() => number)) {
    this.#entries = new LruMap(most);
    this.#lifetimeMs = typeof lifetime === 'number' ? () => lifetime : lifetime;
  }

  /** The cached value; undefined if there is none or it has expired. */
  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.until > clock.now()) return entry?.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** The cached value, otherwise that of a read, which starts before this function returns. Undefined is not cached. */
  async load<Found extends T | undefined>(key: string, read: () => Promise<Found>): Promise<T | Found> {
    const known = this.get(key);
    return known === undefined ? this.reload(key, read) : known;
  }

  /** Reads a value that replaces the cached one. */
  async reload<Found extends T | undefined>(key: string, read: () => Promise<Found>): Promise<Found> {
    const until = clock.now() + this.#lifetimeMs();
    const value = await read();
    if (value === undefined) this.#entries.delete(key);
    else this.#entries.set(key, { value, until });
    return value;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}
