import * as z from 'zod';

import { type Dependency, dependencies } from './dependency.ts';

/**
 * The kinds of injected faults: - `throttle`, `unavailable`, `refuse`: the response is the dependency's own error, without
 * the call. - `conflict` (table): a transaction is cancelled with TransactionConflict, another write with
 * TransactionConflictException. - `delay`: the call waits `delay_ms` and is then made, unless its caller has disconnected
 * before. - `hold` (table, bus): the call waits until the fault is removed, so that another call can come before it. -
 * `lost_response`: the call is made and its connection is closed before the response. - `partial` (bus): every other
 * entry of PutEvents fails. - `stale_lists` (table): queries over an index read a copy of the table that is `delay_ms`
 * behind. - `late_expiry` (table): rows whose TTL has passed are not deleted, as may happen in AWS for days.
 */
export const KINDS = [
  'throttle',
  'unavailable',
  'refuse',
  'conflict',
  'delay',
  'hold',
  'lost_response',
  'partial',
  'stale_lists',
  'late_expiry',
] as const;

/** Faults of the table's own behaviour, which are not triggered by a call. */
const PERSISTENT: ReadonlySet<(typeof KINDS)[number]> = new Set(['stale_lists', 'late_expiry']);

/** The body of `POST /_local/faults`. */
export const NewFault = z
  .strictObject({
    target: z.enum(dependencies),
    kind: z.enum(KINDS),
    /** AWS operations that it affects, such as PutItem; all if absent. */
    operations: z.array(z.string().min(1)).min(1).optional(),
    /** The functions whose calls it affects, such as `roles-http`; all if absent. */
    functions: z.array(z.string().min(1)).min(1).optional(),
    /** A text that is in the calls which it affects, such as the kind of a row in its key; the calls are those of the table. */
    text: z.string().min(1).optional(),
    /** Number of calls that it affects; if absent, it affects calls until it is removed. */
    count: z.int().min(1).optional(),
    /** The share of calls that it affects; 1 by default. */
    probability: z.number().gt(0).max(1).default(1),
    /** The delay in milliseconds, for `delay` and `stale_lists`. */
    delay_ms: z.int().min(1).max(60_000).default(200),
  })
  .refine(({ target, kind }) => target === 'table' || (kind !== 'conflict' && !PERSISTENT.has(kind)), {
    message: 'conflict, stale_lists and late_expiry are faults of the table',
    path: ['kind'],
  })
  .refine(({ target, kind }) => kind !== 'hold' || target === 'table' || target === 'bus', {
    message: 'hold is a fault of the table and of the bus',
    path: ['kind'],
  })
  .refine(({ target, kind }) => target === 'bus' || kind !== 'partial', {
    message: 'partial is a fault of the bus',
    path: ['kind'],
  });

/** An injected fault. */
export interface Fault extends z.output<typeof NewFault> {
  id: string;
  /** Number of calls that the fault has affected. */
  met: number;
}

const WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems']);

/** The active faults. */
export class Faults {
  readonly #faults: Fault[] = [];
  /** The ends of the faults that hold calls, by their ids. */
  readonly #releases = new Map<string, PromiseWithResolvers<void>>();
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

  /** Removes one fault, or all if no id is given; returns whether there was any. */
  clear(id?: string): boolean {
    const before = this.#faults.length;
    const kept = id === undefined ? [] : this.#faults.filter((fault) => fault.id !== id);
    for (const { id: gone } of this.#faults) if (!kept.some((fault) => fault.id === gone)) this.#release(gone);
    this.#faults.splice(0, before, ...kept);
    return kept.length < before;
  }

  #release(id: string): void {
    this.#releases.get(id)?.resolve();
    this.#releases.delete(id);
  }

  /** Resolves when a fault that holds calls is removed. */
  async untilReleased({ id }: Fault): Promise<void> {
    const release = this.#releases.get(id) ?? Promise.withResolvers<void>();
    this.#releases.set(id, release);
    await release.promise;
  }

  /** The lag of lists in milliseconds; undefined if they are current. */
  get listsBehindMs(): number | undefined {
    return this.#faults.find(({ kind }) => kind === 'stale_lists')?.delay_ms;
  }

  /** Reports whether expired rows are kept. */
  get keepsExpired(): boolean {
    return this.#faults.some(({ kind }) => kind === 'late_expiry');
  }

  /** Selects the oldest fault that affects a call, and counts the call. */
  meet(target: Dependency, operation: string, functionName = '', input: object = {}): Fault | undefined {
    const fault = this.#faults.find(
      (candidate) =>
        candidate.target === target &&
        !PERSISTENT.has(candidate.kind) &&
        (candidate.operations === undefined || candidate.operations.includes(operation)) &&
        (candidate.functions === undefined || candidate.functions.includes(functionName)) &&
        (candidate.text === undefined || JSON.stringify(input).includes(candidate.text)) &&
        (candidate.kind !== 'conflict' || WRITES.has(operation)) &&
        (candidate.kind !== 'partial' || operation === 'PutEvents') &&
        !(candidate.kind === 'hold' && candidate.met === candidate.count) &&
        (candidate.probability === 1 || Math.random() < candidate.probability),
    );
    if (fault === undefined) return undefined;
    fault.met += 1;
    // A fault that holds calls is removed by the request that releases them.
    if (fault.met === fault.count && fault.kind !== 'hold') this.clear(fault.id);
    return fault;
  }
}
