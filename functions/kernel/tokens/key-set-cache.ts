import { clock } from '../clock.ts';
import { TtlCache } from '../memory.ts';

/** Milliseconds for which a key set is cached, and for which it is cached at least, whatever key a token names. */
const CACHED_MS = 300_000;
const FRESH_MS = 30_000;

/**
 * The public keys of others by the address of their key set (RFC 7517 section 5). A set that lacks the key of a token is
 * fetched again, at most every 30 seconds.
 */
export class KeySetCache<Key extends { kid?: string }> {
  readonly #cached: TtlCache<{ keys: readonly Key[]; fetchedAt: number }>;
  readonly #fetch: (url: string) => Promise<readonly Key[]>;

  /**
   * @param most Maximum number of key sets
   * @param fetch Returns the keys at an address; none if it does not respond with a set
   */
  constructor(most: number, fetch: (url: string) => Promise<readonly Key[]>) {
    this.#cached = new TtlCache(most, CACHED_MS);
    this.#fetch = fetch;
  }

  /** @param kid the key that the token names */
  async find(url: string, kid: string | undefined): Promise<readonly Key[]> {
    const known = this.#cached.get(url);
    const isKnown = known?.keys.some((key) => kid === undefined || key.kid === kid) === true;
    if (known !== undefined && (isKnown || clock.now() - known.fetchedAt < FRESH_MS)) return known.keys;
    const fetchedAt = clock.now();
    return (await this.#cached.reload(url, async () => ({ keys: await this.#fetch(url), fetchedAt }))).keys;
  }
}
