import { expect, test } from '@jest/globals';

import { awaitAll } from '../../functions/kernel/concurrency.ts';

test('awaitAll rejects after all promises have settled, with the first reason by position', async () => {
  const slow = Promise.withResolvers<void>();
  const state = { isSettled: false };
  const all = awaitAll([slow.promise, Promise.reject(new Error('second'))]).catch((error: unknown) => {
    state.isSettled = true;
    return error;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(state.isSettled).toBe(false);
  slow.reject(new Error('first'));
  expect(await all).toEqual(new Error('first'));
});

test('awaitAll resolves with the values in the order of the promises', async () => {
  expect(await awaitAll([Promise.resolve(1), 'two', undefined])).toEqual([1, 'two', undefined]);
  expect(await awaitAll(new Set([Promise.resolve(1)]))).toEqual([1]);
});
