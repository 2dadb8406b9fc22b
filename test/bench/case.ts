import type { Connection, Sent } from '../support/connection.ts';

/** A request of a case and its expected status. */
export interface Expected extends Sent {
  status: number;
}

/** Returns the next request of a case; undefined when the prepared records are used up. */
export type Next = () => Expected | undefined;

/** A measurement, usually of an operation. */
export interface Case {
  /** The operation's id, with the special feature of the request. */
  name: string;
  /**
   * The kind, which determines the budget of serial round trips: a read 1, a mutation 2, a rejected call 1 (budgets.ts).
   */
  kind: 'read' | 'mutation' | 'refusal';
  /** True if it reads one record, which determines the budget of its CPU time. */
  isSimple?: boolean;
  /** The budget of its CPU time in ms, without that of its baseline. */
  cpuAboveBaselineMs?: number;
  /** The budget of the case's whole CPU time in ms. */
  cpuMs?: number;
  /** The budget of the own CPU time of a case that calls the API, in ms on the machine of the budgets: without that of its calls. */
  ownCpuMs?: number;
  /** The allowed number of serial round trips, if it differs from that of its kind. */
  roundTrips?: number;
  /** True if the function calls the service’s own API, whose work is counted and priced separately. */
  callsApi?: boolean;
  /** True if each request uses up a prepared record. */
  usesUp?: boolean;
  /** The baseline of its CPU instead of the bare DynamoDB client: the minimal cost of its work. */
  concurrently?: () => Promise<unknown>;
  /** Maximum requests of the case, if the service limits them. */
  most?: number;
  /**
   * Prepares an empty service for the requests.
   * @param size the maximum number of requests; a case whose requests use up records prepares this many
   */
  prepare: (connection: Connection, size: number) => Promise<Next>;
}

/** The cases of one HTTP function. */
export interface CaseFile {
  /** The area's folder under functions/. */
  area: string;
  cases: readonly Case[];
}

/** Does work for 0 … size-1, sixteen at a time, and keeps the order of the results. */
export async function each<T>(size: number, work: (at: number) => Promise<T>): Promise<T[]> {
  const results: T[] = new Array<T>(size);
  let next = 0;
  const one = async (): Promise<void> => {
    for (let at = next++; at < size; at = next++) results[at] = await work(at);
  };
  await Promise.all(Array.from({ length: Math.min(16, size) }, one));
  return results;
}

/** Makes requests that each use up one of the prepared records. */
export function usingUp<T>(things: readonly T[], request: (thing: T) => Expected): Next {
  let at = 0;
  return () => {
    const thing = things[at++];
    return thing === undefined ? undefined : request(thing);
  };
}
