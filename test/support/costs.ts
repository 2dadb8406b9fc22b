import { isDeepStrictEqual } from 'node:util';

import type { FunctionCounters } from '../../lib/local/proxy/counters.ts';
import { call, hashes } from './service.ts';

type Calls = Record<string, number>;

/** The AWS calls of a function during some work, by dependency and operation (`table.GetItem`), and the service's argon2 hashes. */
async function callsDuring(functionName: string, work: () => Promise<unknown>): Promise<Calls> {
  await call('DELETE', '/_local/counters');
  const before = hashes();
  await work();
  const { body } = await call<{ data: Record<string, FunctionCounters> }>('GET', '/_local/counters');
  return { ...body.data[functionName]?.calls, argon2: hashes() - before };
}

const ROUNDS = 3;

/**
 * Reports whether two actions make the same AWS calls and the same number of argon2 hashes, in at least one of three
 * rounds: on a busy machine a call is sometimes retried, but a difference in the code appears in each round. Actions with
 * the same calls cannot be distinguished by their time.
 */
export async function makeSameCalls(
  functionName: string,
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<{ isSame: boolean; calls: readonly Calls[] }> {
  let calls: readonly [Calls, Calls] = [{}, {}];
  for (let round = 1; round <= ROUNDS; round += 1) {
    calls = [await callsDuring(functionName, one), await callsDuring(functionName, other)];
    if (isDeepStrictEqual(...calls)) return { isSame: true, calls };
  }
  return { isSame: false, calls };
}
