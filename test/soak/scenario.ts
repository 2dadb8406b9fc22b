import { setTimeout as delay } from 'node:timers/promises';

import type { Connection } from '../support/connection.ts';

/** A scenario that takes too long for a test. */
export interface Scenario {
  name: string;
  /**
   * Runs the scenario.
   * @throws Error that names the guarantee that was violated
   */
  run: () => Promise<void>;
}

/** Prints a result of a scenario. */
export function print(text: string): void {
  console.log(`  ${text}`);
}

/**
 * Checks a guarantee.
 * @throws Error if it is violated
 */
export function must(isTrue: boolean, promise: string): asserts isTrue {
  if (!isTrue) throw new Error(promise);
}

/** Polls until a condition is true. @returns the last value. @throws Error with it after `limitMs` */
export async function until<T>(
  what: string,
  limitMs: number,
  read: () => T | Promise<T>,
  isTrue: (value: T) => boolean,
): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const value = await read();
    if (isTrue(value)) return value;
    if (performance.now() > deadline) {
      throw new Error(`${what}: not within ${limitMs / 1_000} s; last: ${JSON.stringify(value).slice(0, 500)}`);
    }
    await delay(20);
  }
}

/** Maximum time in ms of one request of {@link untilIdle}, below the time-out of a test's connection. */
const IDLE_REQUEST_MS = 20_000;
const IDLE_LIMIT_MS = 1_800_000;

/** Waits until the service has no work left. @throws Error after half an hour */
export async function untilIdle(connection: Pick<Connection, 'control'>): Promise<void> {
  await until(
    'the service is idle',
    IDLE_LIMIT_MS,
    () => connection.control<{ idle: boolean }>('GET', `idle?wait_ms=${IDLE_REQUEST_MS}`),
    ({ idle }) => idle,
  );
}

/** Does work for each item, a fixed number at a time. */
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

/** Formats median, p99 and maximum of latencies. */
export const computeLatencies = (values: readonly number[]): string =>
  `median ${quantile(values, 0.5).toFixed(0)} ms, p99 ${quantile(values, 0.99).toFixed(0)} ms, ` +
  `longest ${Math.max(...values).toFixed(0)} ms`;
