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
