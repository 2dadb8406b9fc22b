import * as z from 'zod';

import { type Dependency, dependencies } from './dependency.ts';

/**
 * What can go wrong:
 * - `throttle`, `unavailable`, `refuse`: the call is answered with the dependency's own error and not made.
 * - `conflict` (table): a transaction is cancelled with TransactionConflict, another write with
 *   TransactionConflictException.
 * - `delay`: the call waits `delay_ms` and is then made, unless its caller has hung up by then.
 * - `lost_answer`: the call is made and its connection is cut before the answer.
 * - `partial` (bus): every other entry of PutEvents fails.
 * - `stale_lists` (table): queries over an index answer from a copy of the table that is `delay_ms` behind.
 * - `late_expiry` (table): rows whose TTL has passed stay where they are, as they may for days.
 */
const kinds = [
  'throttle',
  'unavailable',
  'refuse',
  'conflict',
  'delay',
  'lost_answer',
  'partial',
  'stale_lists',
  'late_expiry',
] as const;

/** Faults of what the table does by itself: no call meets them. */
const STANDING: ReadonlySet<(typeof kinds)[number]> = new Set(['stale_lists', 'late_expiry']);

/** The body of `POST /_local/faults`. */
export const NewFault = z
  .strictObject({
    target: z.enum(dependencies),
    kind: z.enum(kinds),
    /** AWS operations that it meets, such as PutItem; every one when absent. */
    operations: z.array(z.string().min(1)).min(1).optional(),
    /** Calls that it meets; until it is cleared when absent. */
    count: z.int().min(1).optional(),
    /** The share of calls that it meets; default 1. */
    probability: z.number().gt(0).max(1).default(1),
    /** For `delay` and `stale_lists`. */
    delay_ms: z.int().min(1).max(60_000).default(200),
  })
  .refine(({ target, kind }) => target === 'table' || (kind !== 'conflict' && !STANDING.has(kind)), {
    message: 'conflict, stale_lists and late_expiry are faults of the table',
    path: ['kind'],
  })
  .refine(({ target, kind }) => target === 'bus' || kind !== 'partial', {
    message: 'partial is a fault of the bus',
    path: ['kind'],
  });

/** A fault that is waiting for calls to meet. */
export interface Fault extends z.output<typeof NewFault> {
  id: string;
  /** Calls it has met. */
  met: number;
}

const WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems']);

/** The faults in force. */
export class Faults {
  readonly #faults: Fault[] = [];
  #made = 0;

  add(fault: z.output<typeof NewFault>): Fault {
    this.#made += 1;
    const added = { id: `fault_${this.#made}`, met: 0, ...fault };
    this.#faults.push(added);
    return added;
  }

  list(): readonly Fault[] {
    return this.#faults;
  }

  /** Removes one, or all when no id is given; whether there was any. */
  clear(id?: string): boolean {
    const before = this.#faults.length;
    const kept = id === undefined ? [] : this.#faults.filter((fault) => fault.id !== id);
    this.#faults.splice(0, before, ...kept);
    return kept.length < before;
  }

  /** How far behind lists are served, in milliseconds; undefined when they are current. */
  get listsBehindMs(): number | undefined {
    return this.#faults.find(({ kind }) => kind === 'stale_lists')?.delay_ms;
  }

  /** Whether rows outlive their TTL. */
  get keepsExpired(): boolean {
    return this.#faults.some(({ kind }) => kind === 'late_expiry');
  }

  /** The fault that a call meets, which is used up by it; the oldest first. */
  meet(target: Dependency, operation: string): Fault | undefined {
    const fault = this.#faults.find(
      (candidate) =>
        candidate.target === target &&
        !STANDING.has(candidate.kind) &&
        (candidate.operations === undefined || candidate.operations.includes(operation)) &&
        (candidate.kind !== 'conflict' || WRITES.has(operation)) &&
        (candidate.kind !== 'partial' || operation === 'PutEvents') &&
        (candidate.probability === 1 || Math.random() < candidate.probability),
    );
    if (fault === undefined) return undefined;
    fault.met += 1;
    if (fault.met === fault.count) this.clear(fault.id);
    return fault;
  }
}
