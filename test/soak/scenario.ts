import { setTimeout as delay } from 'node:timers/promises';

/** One story that takes too long for a test. */
export interface Scenario {
  name: string;
  /** Plays it. @throws Error that says what was promised and did not hold */
  run: () => Promise<void>;
}

/** Says what a scenario found. */
export function print(text: string): void {
  console.log(`  ${text}`);
}

/** @throws Error when a promise does not hold */
export function must(holds: boolean, promise: string): asserts holds {
  if (!holds) throw new Error(promise);
}

/** Polls until a condition is true. @returns the last value. @throws Error with it after `limitMs` */
export async function until<T>(
  what: string,
  limitMs: number,
  read: () => T | Promise<T>,
  holds: (value: T) => boolean,
): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (performance.now() > deadline) {
      throw new Error(`${what}: not within ${limitMs / 1_000} s; last: ${JSON.stringify(value).slice(0, 500)}`);
    }
    await delay(20);
  }
}

/** Runs work for each item, so many at a time. */
export async function sideBySide<T>(
  items: { values: () => IterableIterator<T> },
  width: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const waiting = items.values();
  const one = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: width }, one));
}

/** The value at a share of values; NaN for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** Median, p99 and longest of latencies, in words. */
export const computeLatencies = (values: readonly number[]): string =>
  `median ${quantile(values, 0.5).toFixed(0)} ms, p99 ${quantile(values, 0.99).toFixed(0)} ms, ` +
  `longest ${Math.max(...values).toFixed(0)} ms`;
