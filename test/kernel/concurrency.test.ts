import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, test } from '@jest/globals';

import { awaitAll, mapConcurrently } from '../../functions/kernel/concurrency.ts';

test('awaitAll rejects after all promises have settled, with the first reason by position', async () => {
  const slow = Promise.withResolvers<void>();
  const state = { isSettled: false };
  const all = awaitAll([slow.promise, Promise.reject(new Error('second'))]).catch((error: unknown) => {
    state.isSettled = true;
    return error;
  });
  await nextTurn();
  expect(state.isSettled).toBe(false);
  slow.reject(new Error('first'));
  expect(await all).toEqual(new Error('first'));
});

test('awaitAll resolves with the values in the order of the promises', async () => {
  expect(await awaitAll([Promise.resolve(1), 'two', undefined])).toEqual([1, 'two', undefined]);
  expect(await awaitAll(new Set([Promise.resolve(1)]))).toEqual([1]);
});

test('mapConcurrently does work for at most the limit of items at a time, and keeps the order of the results', async () => {
  let running = 0;
  let most = 0;
  const doubled = await mapConcurrently([5, 1, 4, 2, 3], 2, async (turns) => {
    running += 1;
    most = Math.max(most, running);
    for (let at = 0; at < turns; at += 1) await nextTurn();
    running -= 1;
    return turns * 2;
  });
  expect([doubled, most]).toEqual([[10, 2, 8, 4, 6], 2]);
  expect(await mapConcurrently([], 2, nextTurn)).toEqual([]);
});

test('mapConcurrently begins no item after a failure, and rejects when the items that it began have settled', async () => {
  const started: number[] = [];
  const ended: number[] = [];
  const all = mapConcurrently([1, 2, 3, 4], 2, async (item) => {
    started.push(item);
    if (item === 1) throw new Error('failed');
    await nextTurn();
    ended.push(item);
  });
  await expect(all).rejects.toThrow('failed');
  expect([started, ended]).toEqual([[1, 2], [2]]);
});
