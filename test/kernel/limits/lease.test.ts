import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';

import { clock } from '../../../functions/kernel/clock.ts';
import { type Leased, withLease } from '../../../functions/kernel/limits/lease.ts';
import { startMemoryTable, type TestTable } from '../../support/table.ts';

let table: TestTable;
beforeAll(async () => {
  table = await startMemoryTable();
});
afterAll(() => table.stop());
afterEach(() => clock.reset());

/** Work that runs until the test ends it. */
function pending(): { work: () => Promise<void>; started: Promise<void>; end: () => void } {
  let end = (): void => {};
  let start = (): void => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const started = new Promise<void>((resolve) => (start = resolve));
  return { started, end: () => end(), work: () => (start(), ended) };
}

describe('a lease', () => {
  test('is given to one of 50 parallel callers, and the others get `busy`', async () => {
    const { work, end } = pending();
    let working = 0;
    const calls: Promise<void>[] = [];
    const outcomes: Leased<void>[] = [];
    await new Promise<void>((resolve) => {
      const ask = async () => {
        outcomes.push(
          await withLease('environment_1', 'refresh#one', { seconds: 3_600 }, () => ((working += 1), work())),
        );
        if (outcomes.length === 49) resolve();
      };
      calls.push(...Array.from({ length: 50 }, ask));
    });
    expect(working).toBe(1);
    for (const busy of outcomes) expect(busy).toEqual({ kind: 'busy', retryAfterSeconds: expect.any(Number) });
    const waits = outcomes.flatMap((busy) => (busy.kind === 'busy' ? busy.retryAfterSeconds : []));
    expect(Math.min(...waits)).toBeGreaterThan(3_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(3_600);
    end();
    await Promise.all(calls);
    expect(outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(1);
  });

  test('is never held by two callers at once, and every waiting caller gets it', async () => {
    let working = 0;
    const fences: number[] = [];
    const calls = Array.from({ length: 8 }, () =>
      withLease('environment_1', 'refresh#two', { seconds: 600, waitSeconds: 300 }, async ({ fence }) => {
        working += 1;
        expect(working).toBe(1);
        fences.push(fence);
        await new Promise((resolve) => setTimeout(resolve, 5));
        working -= 1;
      }),
    );
    expect((await Promise.all(calls)).map(({ kind }) => kind)).toEqual(Array(8).fill('done'));
    expect(fences).toEqual([...new Set(fences)].toSorted((one, other) => one - other));
  });

  test('of a crashed holder expires, and the next fencing token is greater', async () => {
    const crashed = pending();
    let first = 0;
    let isHeld = (): boolean => true;
    const lost = withLease('environment_1', 'refresh#three', { seconds: 600 }, (lease) => {
      first = lease.fence;
      isHeld = lease.isHeld;
      return crashed.work();
    });
    await crashed.started;
    expect(isHeld()).toBe(true);
    expect(await withLease('environment_1', 'refresh#three', { seconds: 600 }, async () => {})).toMatchObject({
      kind: 'busy',
    });
    clock.advance(600_001);
    expect(isHeld()).toBe(false);
    const second = pending();
    let fence = 0;
    const next = withLease(
      'environment_1',
      'refresh#three',
      { seconds: 600 },
      (lease) => ((fence = lease.fence), second.work()),
    );
    await second.started;
    expect(fence).toBeGreaterThan(first);
    // The former holder continues: the lease that it releases is not its own any more.
    crashed.end();
    await lost;
    expect(await withLease('environment_1', 'refresh#three', { seconds: 600 }, async () => {})).toMatchObject({
      kind: 'busy',
    });
    second.end();
    await next;
  });

  test('is released if the work fails, and the caller gets the error', async () => {
    const failing = withLease('environment_1', 'refresh#four', { seconds: 30 }, async () => {
      throw new Error('refused by the provider');
    });
    await expect(failing).rejects.toThrow('refused by the provider');
    const again = await withLease(
      'environment_1',
      'refresh#four',
      { seconds: 30, waitSeconds: 1 },
      async () => 'fresh',
    );
    expect(again).toEqual({ kind: 'done', value: 'fresh' });
  });

  test('of one environment does not delay another', async () => {
    const { work, started, end } = pending();
    const first = withLease('environment_1', 'refresh#five', { seconds: 30 }, work);
    await started;
    expect(await withLease('environment_2', 'refresh#five', { seconds: 30 }, async () => 1)).toEqual({
      kind: 'done',
      value: 1,
    });
    end();
    await first;
  });
});
