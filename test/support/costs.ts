import type { FunctionCounters } from '../../lib/local/proxy/counters.ts';
import { call } from './service.ts';

/**
 * The calls that a function makes of AWS during some work, by dependency and operation (`table.GetItem`). What is the same for
 * two cases cannot tell them apart by its time, however exactly that is measured.
 */
export async function callsDuring(functionName: string, work: () => Promise<unknown>): Promise<Record<string, number>> {
  await call('DELETE', '/_local/counters');
  await work();
  const { body } = await call<{ data: Record<string, FunctionCounters> }>('GET', '/_local/counters');
  return body.data[functionName]?.calls ?? {};
}
