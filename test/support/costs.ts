import { isDeepStrictEqual } from 'node:util';

import type { FunctionCounters } from '../../lib/local/proxy/counters.ts';
import { call } from './service.ts';

type Calls = Record<string, number>;

/** The calls that a function makes of AWS during some work, by dependency and operation (`table.GetItem`). */
async function callsDuring(functionName: string, work: () => Promise<unknown>): Promise<Calls> {
  await call('DELETE', '/_local/counters');
  await work();
  const { body } = await call<{ data: Record<string, FunctionCounters> }>('GET', '/_local/counters');
  return body.data[functionName]?.calls ?? {};
}

const ROUNDS = 3;

/**
 * Whether two things make the same calls of AWS, in one of three rounds: a busy machine has a call tried again now and then,
 * what the code does is there each time. What is the same cannot tell the two apart by its time, however exactly that is
 * measured.
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
