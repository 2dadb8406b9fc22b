import type { Throttle } from '../../topology/model.ts';

/** Implements API Gateway's throttle of a stage: tokens are added at a rate, up to the burst. */
export class TokenBucket {
  readonly #throttle: Throttle;
  readonly #now: () => number;
  #tokens: number;
  #at: number;

  /** @param now milliseconds of a monotonic clock */
  constructor(throttle: Throttle, now: () => number) {
    this.#throttle = throttle;
    this.#now = now;
    this.#tokens = throttle.burst;
    this.#at = now();
  }

  /** Takes a token. @returns 0, or the seconds until the next one */
  take(): number {
    const { rate, burst } = this.#throttle;
    const now = this.#now();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#at) / 1_000) * rate);
    this.#at = now;
    if (this.#tokens < 1) return (1 - this.#tokens) / rate;
    this.#tokens -= 1;
    return 0;
  }
}

/** The throttles of a gateway: that of the stage, and those of routes with a throttle of their own. */
export class Throttles {
  readonly #shared: TokenBucket;
  readonly #own: ReadonlyMap<string, TokenBucket>;

  /**
   * @param routes by path of the route
   * @param now milliseconds of a monotonic clock
   */
  constructor(shared: Throttle, routes: ReadonlyMap<string, Throttle>, now: () => number) {
    this.#shared = new TokenBucket(shared, now);
    this.#own = new Map([...routes].map(([path, throttle]) => [path, new TokenBucket(throttle, now)]));
  }

  /** Takes a token for a call of a route; undefined for none. @returns 0, or the seconds until the next one */
  take(path: string | undefined): number {
    return (this.#own.get(path ?? '') ?? this.#shared).take();
  }
}
