import type { FunctionCounters, KeyCounters } from '../../lib/local/proxy/counters.ts';
import type { Connection } from '../support/connection.ts';
import { isShared, listHotKeys } from '../support/hot-keys.ts';
import type { Next } from './case.ts';

/** The average counts of one call of a function. */
export interface Counts {
  serialRoundTrips: number;
  kmsCalls: number;
  readUnits: number;
  writeUnits: number;
}

/** The counts of a case, and those of the API's functions that one call of it calls. */
export interface CaseCounts extends Counts {
  api: Counts & { invocations: number };
  shared: SharedUnits;
}

/** The units of one call on keys that other callers use too, and the keys that it writes. */
export interface SharedUnits {
  readUnits: number;
  writeUnits: number;
  written: string[];
}

/** Number of calls made before counting, so that credentials and data keys are cached. */
const WARM_UP = 2;
const CALLS = 10;
/** Maximum number of attempts: a busy machine may time a call out, and then counting starts again. */
const TRIES = 3;
/**
 * Minimum duration in ms of each call of an engine while it is counted, so that parallel calls overlap although a busy
 * machine sends them some milliseconds after each other.
 */
const CALL_MS = 25;
/** Maximum number of requests that counting needs. */
export const COUNTED_REQUESTS = (WARM_UP + CALLS) * TRIES;

/**
 * Counts the AWS calls of a case's requests, which are sent one after the other.
 * @throws Error for an unexpected status
 */
export async function countCase(connection: Connection, functionName: string, next: Next): Promise<CaseCounts> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    await sendSome(connection, next, WARM_UP);
    await delayCalls(connection);
    await connection.control('DELETE', 'counters');
    const isCounted = await sendSome(connection, next, CALLS);
    await connection.control('DELETE', 'faults');
    if (isCounted) {
      const { [functionName]: own, ...others } = await readCounters(connection);
      return { ...computeCounts(own, CALLS), api: countApi(others), shared: await readShared(connection, CALLS) };
    }
  }
  throw new Error(`${functionName} responded 503 in each of ${TRIES} tries to count its calls`);
}

/** The average counts of the HTTP functions that a call of a case calls itself. */
function countApi(counters: Readonly<Record<string, FunctionCounters>>): CaseCounts['api'] {
  const called = Object.entries(counters).flatMap(([name, one]) => (name.endsWith('-http') ? [one] : []));
  const sum = (read: (one: FunctionCounters) => number): number => called.reduce((all, one) => all + read(one), 0);
  return {
    ...computeCounts(
      {
        calls: {},
        serialRoundTrips: sum((one) => one.serialRoundTrips),
        invocations: 0,
        readUnits: sum((one) => one.readUnits),
        writeUnits: sum((one) => one.writeUnits),
      },
      CALLS,
    ),
    invocations: sum((one) => one.invocations) / CALLS,
  };
}

async function delayCalls(connection: Connection): Promise<void> {
  for (const target of ['table', 'keys'] as const) {
    await connection.control('POST', 'faults', { target, kind: 'delay', delay_ms: CALL_MS });
  }
}

/**
 * Sends some requests.
 * @returns false if a response was 503
 */
async function sendSome(connection: Connection, next: Next, count: number): Promise<boolean> {
  for (let at = 0; at < count; at += 1) {
    const request = next();
    if (request === undefined) throw new Error('A case prepared too few requests to be counted');
    const { status, body } = await connection.send(request);
    if (status === 503) return false;
    if (status !== request.status) {
      throw new Error(`${request.method} ${request.path} responded ${status}: ${JSON.stringify(body).slice(0, 500)}`);
    }
  }
  return true;
}

/** The counters of all functions. */
export async function readCounters(connection: Connection): Promise<Record<string, FunctionCounters>> {
  return (await connection.control<{ data: Record<string, FunctionCounters> }>('GET', 'counters')).data;
}

/**
 * The units of `calls` calls on keys that other callers use too, as an average.
 * @param kind of the keys, if not all
 */
export async function readShared(connection: Connection, calls: number, kind = /./): Promise<SharedUnits> {
  const { keys } = await connection.control<{ keys: KeyCounters[] }>('GET', 'counters');
  const shared = listHotKeys(keys, 1 / calls).filter((key) => isShared(key) && kind.test(key.name));
  return {
    readUnits: shared.reduce((sum, { reads }) => sum + reads, 0),
    writeUnits: shared.reduce((sum, { writes }) => sum + writes, 0),
    written: shared.filter(({ writes }) => writes > 0).map(({ name }) => name),
  };
}

/** The average of `calls` calls. */
export function computeCounts(counters: FunctionCounters | undefined, calls: number): Counts {
  // A function that made no calls has no counters.
  if (counters === undefined) return { serialRoundTrips: 0, kmsCalls: 0, readUnits: 0, writeUnits: 0 };
  const kms = Object.entries(counters.calls).filter(([name]) => name.startsWith('keys.'));
  return {
    serialRoundTrips: counters.serialRoundTrips / calls,
    kmsCalls: kms.reduce((sum, [, count]) => sum + count, 0) / calls,
    readUnits: counters.readUnits / calls,
    writeUnits: counters.writeUnits / calls,
  };
}
