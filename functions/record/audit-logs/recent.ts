import { clock } from '../../kernel/clock.ts';
import { settings } from '../../kernel/settings.ts';

/**
 * A cache of recent reads, so that a thousand events a second of one organization do not read its row a thousand times.
 * Values are kept as long as a cached credential (five seconds); missing rows are not cached.
 */
export class Recent<T> {
  readonly #values = new Map<string, { value: T; until: number; epoch: number }>();
  readonly #most: number;

  /** @param most maximum number of values; the oldest is evicted first */
  constructor(most: number) {
    this.#most = most;
  }

  /** The value of a key; it is read if it is not cached or has expired. */
  async get(key: string, read: () => Promise<T | undefined>): Promise<{ value: T | undefined; isFresh: boolean }> {
    const known = this.#values.get(key);
    if (known !== undefined && known.until > clock.now() && known.epoch === clock.epoch()) {
      return { value: known.value, isFresh: false };
    }
    this.#values.delete(key);
    const value = await read();
    if (value !== undefined) this.#keep(key, value);
    return { value, isFresh: true };
  }

  forget(key: string): void {
    this.#values.delete(key);
  }

  #keep(key: string, value: T): void {
    if (this.#values.size >= this.#most) {
      const [oldest] = this.#values.keys();
      if (oldest !== undefined) this.#values.delete(oldest);
    }
    const until = clock.now() + settings().GATEHOUSE_CREDENTIAL_CACHE_MS;
    this.#values.set(key, { value, until, epoch: clock.epoch() });
  }
}
