import { afterEach, describe, expect, test } from '@jest/globals';

import { Invocations } from '../../lib/local/invocations.ts';

describe('a write that a function makes', () => {
  const invocations = new Invocations();
  const call = (until: Promise<void> = Promise.resolve()): Promise<void> =>
    invocations.observe(invocations.current(), 'PutItem', () => until);
  afterEach(() => invocations.abandon());

  test('before its response is not late', async () => {
    await invocations.run('worker', () => call());
    expect([invocations.calls, invocations.late]).toEqual([0, []]);
  });

  test('and does not await is late, and in progress until it ends', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let left = Promise.resolve();
    await invocations.run('worker', () => {
      left = call(promise);
      return Promise.resolve();
    });
    expect(invocations.calls).toBe(1);
    resolve();
    await left;
    expect([invocations.calls, invocations.late]).toEqual([0, ['worker: PutItem']]);
  });

  test('after its response is not late if it only reads', async () => {
    let left = Promise.resolve();
    await invocations.run('worker', () => {
      left = invocations.observe(invocations.current(), 'Query', () => new Promise((resolve) => setImmediate(resolve)));
      return Promise.resolve();
    });
    await left;
    expect(invocations.late).toEqual([]);
  });

  test('after its response is late, and forgotten at a reset', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let left = Promise.resolve();
    await invocations.run('worker', () => {
      left = promise.then(() => call());
      return Promise.resolve();
    });
    resolve();
    await left;
    expect(invocations.late).toEqual(['worker: PutItem']);
    invocations.abandon();
    expect(invocations.late).toEqual([]);
  });
});
