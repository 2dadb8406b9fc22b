import { clock } from './clock.ts';

interface Entry<T> {
  value: T;
  /** The time of expiry, in milliseconds since the epoch. */
  until: number;
  epoch: number;
}

/**
 * A bounded cache of an instance between calls. The least recently used entry is evicted first, and the cache is cleared
 * when the local runtime empties the table. It is written by hand because lru-cache takes neither the kernel's clock nor
 * the epoch that clears it.
 */
export class TtlCache<T> {
  readonly #most: number;
  readonly #entries = new Map<string, Entry<T>>();

  /** @param most Maximum number of entries. */
  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (entry.until <= clock.now() || entry.epoch !== clock.epoch()) return undefined;
    this.#entries.set(key, entry);
    return entry.value;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  /**
   * Stores a value.
   * @param maxAgeMs Lifetime in milliseconds; unlimited if absent.
   */
  set(key: string, value: T, maxAgeMs = Infinity): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: clock.now() + maxAgeMs, epoch: clock.epoch() });
    if (this.#entries.size <= this.#most) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
