import type { KeyUnits } from '../dynamodb/capacity.ts';
import type { Invocation } from '../invocations.ts';
import type { Dependency } from './dependency.ts';

/** The counters of one function's calls. */
export interface FunctionCounters {
  /** Calls by dependency and operation: `table.PutItem`. */
  calls: Record<string, number>;
  /**
   * The length of the longest chain of an invocation's calls in which each began after the previous one had ended, added up
   * over all invocations.
   */
  serialRoundTrips: number;
  invocations: number;
  readUnits: number;
  writeUnits: number;
}

/** The units of one partition key of the table, or of an index. */
export interface KeyCounters {
  /** The index; absent for the table itself. */
  index?: string | undefined;
  key: string;
  readUnits: number;
  writeUnits: number;
}

const zero = (): FunctionCounters => ({
  calls: {},
  serialRoundTrips: 0,
  invocations: 0,
  readUnits: 0,
  writeUnits: 0,
});

/** The chains of one invocation's calls. */
interface Chains {
  /** Calls in the longest chain of the invocation, those in progress included. */
  longest: number;
  /** Calls in its longest chain of those that have ended. */
  ended: number;
}

const WRITES = /^(Put|Update|Delete|Transact(Write)|BatchWrite)/;

/** Counts calls by function, and consumed capacity if enabled, for which each response of the table must be read. */
export class Counters {
  #functions = new Map<string, FunctionCounters>();
  #invocations = new Map<string, Chains>();
  #keys = new Map<string, KeyCounters>();
  measuresCapacity = false;

  /** Counts a call; the returned function marks its end. Calls without an invocation are counted under `runtime`. */
  begin(invocation: Invocation | undefined, dependency: Dependency, operation: string): () => void {
    const counters = this.#of(invocation?.functionName ?? 'runtime');
    const name = `${dependency}.${operation}`;
    counters.calls[name] = (counters.calls[name] ?? 0) + 1;
    if (invocation === undefined) return () => undefined;
    const chains = this.#chainsOf(invocation.id, counters);
    const length = chains.ended + 1;
    if (length > chains.longest) {
      counters.serialRoundTrips += 1;
      chains.longest = length;
    }
    return () => {
      chains.ended = Math.max(chains.ended, length);
    };
  }

  #chainsOf(id: string, counters: FunctionCounters): Chains {
    const known = this.#invocations.get(id);
    if (known !== undefined) return known;
    counters.invocations += 1;
    if (this.#invocations.size > 100_000) this.#invocations.clear();
    const chains = { longest: 0, ended: 0 };
    this.#invocations.set(id, chains);
    return chains;
  }

  /** Adds the consumed capacity that a response of the table reports. */
  addCapacity(invocation: Invocation | undefined, operation: string, response: object): void {
    const { ConsumedCapacity } = response as { ConsumedCapacity?: Capacity | Capacity[] };
    const counters = this.#of(invocation?.functionName ?? 'runtime');
    const kind = WRITES.test(operation) ? 'writeUnits' : 'readUnits';
    for (const { CapacityUnits = 0, Keys = [] } of [ConsumedCapacity ?? []].flat()) {
      counters[kind] += CapacityUnits;
      for (const { index, key, units } of Keys) this.#keyOf(index, key)[kind] += units;
    }
  }

  #keyOf(index: string | undefined, key: string): KeyCounters {
    const address = `${index} ${key}`;
    const counters = this.#keys.get(address) ?? { index, key, readUnits: 0, writeUnits: 0 };
    this.#keys.set(address, counters);
    return counters;
  }

  /** The units by partition key of the table and of its indexes, those of condition checks included. */
  readKeys(): KeyCounters[] {
    return [...this.#keys.values()];
  }

  /** All counters by function. */
  read(): Record<string, FunctionCounters> {
    return Object.fromEntries(this.#functions);
  }

  /** Resets all counters. */
  clear(): void {
    this.#functions = new Map();
    this.#invocations = new Map();
    this.#keys = new Map();
  }

  #of(functionName: string): FunctionCounters {
    const counters = this.#functions.get(functionName) ?? zero();
    this.#functions.set(functionName, counters);
    return counters;
  }
}

interface Capacity {
  CapacityUnits?: number;
  Keys?: readonly KeyUnits[];
}
