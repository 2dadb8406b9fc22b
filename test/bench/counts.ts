import type { FunctionCounters } from '../../lib/local/proxy/counters.ts';
import type { Connection } from '../support/connection.ts';
import type { Next } from './case.ts';

/** What one call of a function comes to, on average. */
export interface Counts {
  serialRoundTrips: number;
  kmsCalls: number;
  readUnits: number;
  writeUnits: number;
}

/** Calls made before counting, so that credentials and data keys are remembered. */
const WARM_UP = 2;

/** Counts what a case's requests cost its function, one after the other. @throws Error for an unexpected status */
export async function countCase(connection: Connection, functionName: string, next: Next): Promise<Counts> {
  const calls = 10;
  for (let at = -WARM_UP; at < calls; at += 1) {
    if (at === 0) await connection.control('DELETE', 'counters');
    const request = next();
    if (request === undefined) throw new Error('A case prepared too few requests to be counted');
    const { status, body } = await connection.send(request);
    if (status !== request.status) {
      throw new Error(`${request.method} ${request.path} answered ${status}: ${JSON.stringify(body).slice(0, 500)}`);
    }
  }
  return countsOf((await readCounters(connection))[functionName], calls);
}

/** The counters of all functions. */
export async function readCounters(connection: Connection): Promise<Record<string, FunctionCounters>> {
  return (await connection.control<{ data: Record<string, FunctionCounters> }>('GET', 'counters')).data;
}

/** What one of `calls` calls came to. */
export function countsOf(counters: FunctionCounters | undefined, calls: number): Counts {
  // A function that called nothing has no counters.
  if (counters === undefined) return { serialRoundTrips: 0, kmsCalls: 0, readUnits: 0, writeUnits: 0 };
  const kms = Object.entries(counters.calls).filter(([name]) => name.startsWith('keys.'));
  return {
    serialRoundTrips: counters.serialRoundTrips / calls,
    kmsCalls: kms.reduce((sum, [, count]) => sum + count, 0) / calls,
    readUnits: counters.readUnits / calls,
    writeUnits: counters.writeUnits / calls,
  };
}
