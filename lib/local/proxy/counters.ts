import type { Invocation } from '../invocations.ts';
import type { Dependency } from './dependency.ts';

/** The counters of one function's calls. */
export interface FunctionCounters {
  /** Calls by dependency and operation: `table.PutItem`. */
  calls: Record<string, number>;
  /** Sequential round trips: calls that run in parallel with another of the same invocation are not counted. */
  serialRoundTrips: number;
  invocations: number;
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

const WRITES = /^(Put|Update|Delete|Transact(Write)|BatchWrite)/;

/** Counts calls by function, and consumed capacity if enabled: that requires reading each response of the table. */
export class Counters {
  #functions = new Map<string, FunctionCounters>();
  readonly #inProgress = new Map<string, number>();
  #seen = new Set<string>();
  measuresCapacity = false;

  /** Counts a call; the returned function marks its end. Calls without an invocation count under `runtime`. */
  begin(invocation: Invocation | undefined, dependency: Dependency, operation: string): () => void {
    const counters = this.#of(invocation?.functionName ?? 'runtime');
    const name = `${dependency}.${operation}`;
    counters.calls[name] = (counters.calls[name] ?? 0) + 1;
    if (invocation === undefined) return () => undefined;
    const { id } = invocation;
    const before = this.#inProgress.get(id) ?? 0;
    if (before === 0) counters.serialRoundTrips += 1;
    if (!this.#seen.has(id)) {
      counters.invocations += 1;
      this.#seen.add(id);
      if (this.#seen.size > 100_000) this.#seen.clear();
    }
    this.#inProgress.set(id, before + 1);
    return () => {
      const left = (this.#inProgress.get(id) ?? 1) - 1;
      if (left === 0) this.#inProgress.delete(id);
      else this.#inProgress.set(id, left);
    };
  }

  /** Adds the consumed capacity that a response of the table reports. */
  addCapacity(invocation: Invocation | undefined, operation: string, answer: Buffer): void {
    const { ConsumedCapacity } = JSON.parse(answer.toString('utf8')) as { ConsumedCapacity?: Capacity | Capacity[] };
    const counters = this.#of(invocation?.functionName ?? 'runtime');
    for (const { CapacityUnits = 0 } of [ConsumedCapacity ?? []].flat()) {
      if (WRITES.test(operation)) counters.writeUnits += CapacityUnits;
      else counters.readUnits += CapacityUnits;
    }
  }

  /** All counters by function. */
  read(): Record<string, FunctionCounters> {
    return Object.fromEntries(this.#functions);
  }

  /** Resets all counters. */
  clear(): void {
    this.#functions = new Map();
    this.#seen = new Set();
  }

  #of(functionName: string): FunctionCounters {
    const counters = this.#functions.get(functionName) ?? zero();
    this.#functions.set(functionName, counters);
    return counters;
  }
}

interface Capacity {
  CapacityUnits?: number;
}
