import type { StageSettings } from './settings.ts';

/** The load that a stage states: calls a second at its peak. */
export interface Load {
  signIns: number;
  refreshes: number;
  checks: number;
}

/** The consumption of a stage at its peak, a second. */
export interface Demand {
  /** Read and write request units of the table of records. */
  readUnits: number;
  writeUnits: number;
  /** Requests of the API. Each is an invocation, and so is the work that it causes. */
  requests: number;
  invocations: number;
  /** Cryptographic operations of KMS. */
  keyOperations: number;
  mails: number;
}

/**
 * The consumption of one call, a little above what `npm run bench` measures (RCU, WCU). A sign-in is one by password on the hosted pages with the
 * exchange of its code, of which one in three sends a mail, and whose events are relayed, dispatched and delivered.
 */
const OF_A_CALL: Readonly<Record<keyof Load, Demand>> = {
  signIns: { readUnits: 40, writeUnits: 40, requests: 6, invocations: 12, keyOperations: 2, mails: 1 / 3 },
  refreshes: { readUnits: 10, writeUnits: 8, requests: 1, invocations: 1, keyOperations: 0.2, mails: 0 },
  checks: { readUnits: 8, writeUnits: 0, requests: 1, invocations: 1, keyOperations: 0, mails: 0 },
};

/** The load that the settings of a stage state; undefined if they state none. */
export function readLoad({ expectedSignIns, expectedRefreshes, expectedChecks }: StageSettings): Load | undefined {
  if (expectedSignIns === undefined && expectedRefreshes === undefined && expectedChecks === undefined)
    return undefined;
  return { signIns: expectedSignIns ?? 0, refreshes: expectedRefreshes ?? 0, checks: expectedChecks ?? 0 };
}

/** Computes what a load consumes, rounded up. */
export function computeDemand(load: Load): Demand {
  const sum = (name: keyof Demand): number =>
    Math.ceil(
      Object.entries(OF_A_CALL).reduce((total, [call, demand]) => total + load[call as keyof Load] * demand[name], 0),
    );
  return {
    readUnits: sum('readUnits'),
    writeUnits: sum('writeUnits'),
    requests: sum('requests'),
    invocations: sum('invocations'),
    keyOperations: sum('keyOperations'),
    mails: sum('mails'),
  };
}

/** The throughput that DynamoDB gives a new table on demand without a charge. */
const NEW_TABLE = { readUnitsPerSecond: 12_000, writeUnitsPerSecond: 4_000 };

/** The warm throughput of the table of records, and of each of its indexes, for a load; undefined if that of a new table suffices. */
export function computeWarmThroughput(load: Load | undefined): typeof NEW_TABLE | undefined {
  if (load === undefined) return undefined;
  const { readUnits, writeUnits } = computeDemand(load);
  const warm = {
    readUnitsPerSecond: Math.max(NEW_TABLE.readUnitsPerSecond, readUnits),
    writeUnitsPerSecond: Math.max(NEW_TABLE.writeUnitsPerSecond, writeUnits),
  };
  return warm.readUnitsPerSecond === NEW_TABLE.readUnitsPerSecond &&
    warm.writeUnitsPerSecond === NEW_TABLE.writeUnitsPerSecond
    ? undefined
    : warm;
}
