import { setTimeout as delay } from 'node:timers/promises';

import { type Engine, exchangeAws } from '../aws-call.ts';
import { type AwsReply, type InProcessCall, makeError } from '../in-process-handler.ts';
import { Abandoned, type Invocation, type Invocations } from '../invocations.ts';
import { runInMemory } from '../memory-table/engine.ts';
import type { Counters } from './counters.ts';
import { makeFailedResponse, rejectionCodes, throttleCodes, unavailableCodes } from './dependency.ts';
import type { Fault, Faults } from './faults.ts';

/** The options of the table's calls. */
export interface TableCallsOptions {
  engine: () => Engine;
  invocations: Invocations;
  faults: Faults;
  counters: Counters;
  /** Changes a request before it is sent, for stale lists. */
  rewrite: (operation: string, input: object) => object;
  /** Runs after a successful call of the engine. */
  onDone: (operation: string, input: object, invocation: Invocation | undefined) => void;
}

/** A call of the table, by a function in this process or by a client of another one. */
export interface TableCall {
  operation: string;
  /** The request in the form of the protocol. */
  input: object;
  invocation: Invocation | undefined;
  /** Waits for the time of a delay. @returns whether the caller still waits for the response */
  wait: (delayMs: number) => Promise<boolean>;
}

/** The result of a call: a response, `lost` after a call whose response the caller does not get, or `not awaited` if the caller left before. */
export type TableResult = AwsReply | 'lost' | 'not awaited';

/** The calls of the table's engine: they are counted and get the injected faults, and calls of invocations that a reset has interrupted are rejected. */
export class TableCalls {
  readonly #options: TableCallsOptions;
  #forwarding = 0;

  constructor(options: TableCallsOptions) {
    this.#options = options;
  }

  /** Number of calls that the engine executes at present. */
  get forwarding(): number {
    return this.#forwarding;
  }

  /** Carries out a call, or the fault that was injected for it. */
  async call({ operation, input, invocation, wait }: TableCall): Promise<TableResult> {
    const { invocations, faults, counters } = this.#options;
    const end = counters.begin(invocation, 'table', operation);
    try {
      const fault = faults.meet('table', operation);
      if (fault?.kind === 'delay' && !(await wait(fault.delay_ms))) return 'not awaited';
      if (invocation !== undefined && !invocations.isCurrent(invocation)) return fail(400, 'AbandonedByReset');
      const failure = fault && makeFailure(fault, operation, input);
      if (failure !== undefined) return failure;
      const measures = counters.measuresCapacity;
      const sent = measures ? { ReturnConsumedCapacity: 'TOTAL', ...input } : input;
      const reply = await this.#forward(operation, sent, invocation);
      if (fault?.kind === 'lost_response') return 'lost';
      if (measures && reply.status < 300) counters.addCapacity(invocation, operation, reply.body);
      return reply;
    } finally {
      end();
    }
  }

  async #forward(operation: string, input: object, invocation: Invocation | undefined): Promise<AwsReply> {
    const { engine: findEngine, rewrite, onDone } = this.#options;
    const engine = findEngine();
    this.#forwarding += 1;
    try {
      const sent = rewrite(operation, input);
      const reply =
        engine.run === undefined
          ? await exchangeAws(engine, operation, sent)
          : runInMemory(engine.run, operation, sent);
      if (reply.status < 300) onDone(operation, input, invocation);
      return reply;
    } catch {
      // The engine is unavailable: the response is the one that a client gets from an unavailable service.
      return fail(...unavailableCodes.table);
    } finally {
      this.#forwarding -= 1;
    }
  }

  /**
   * Carries out a call that a function in this process makes.
   * @throws Error for an attempt without a response, as from a connection; Abandoned after a reset
   */
  async callWithin(sent: InProcessCall): Promise<AwsReply> {
    const { invocations } = this.#options;
    const invocation = invocations.current();
    if (invocation !== undefined && !invocations.isCurrent(invocation)) {
      throw new Abandoned('A reset came before this call');
    }
    const { operation, input, requestMs } = sent;
    const result = await this.call({ operation, input, invocation, wait: (ms) => waitWithin(sent, ms) });
    if (result === 'lost') throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    if (result !== 'not awaited') return result;
    if (sent.signal?.aborted === true) throw makeError('AbortError', 'The call was aborted');
    throw makeError('TimeoutError', `${operation} had no response in ${requestMs} ms`);
  }
}

/** Waits for a delay, at most as long as the client's limit. @returns whether the client still waits */
async function waitWithin({ requestMs, signal }: InProcessCall, delayMs: number): Promise<boolean> {
  const options = signal === undefined ? {} : { signal };
  await delay(Math.min(delayMs, requestMs), undefined, options).catch(() => undefined);
  return delayMs < requestMs && signal?.aborted !== true;
}

function fail(status: number, code: string, extra?: object): AwsReply {
  const { body } = makeFailedResponse('table', status, code, extra);
  return { status, body: JSON.parse(body) as Record<string, unknown> };
}

/** The error response instead of the call; undefined for faults that do not replace the call. */
function makeFailure({ kind }: Fault, operation: string, input: object): AwsReply | undefined {
  if (kind === 'throttle') return fail(...throttleCodes.table);
  if (kind === 'unavailable') return fail(...unavailableCodes.table);
  if (kind === 'refuse') return fail(...rejectionCodes.table);
  if (kind !== 'conflict') return undefined;
  if (operation !== 'TransactWriteItems') return fail(400, 'TransactionConflictException');
  const { TransactItems } = input as { TransactItems: unknown[] };
  const CancellationReasons = TransactItems.map((_, at) =>
    at === 0 ? { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' } : { Code: 'None' },
  );
  return fail(400, 'TransactionCanceledException', {
    CancellationReasons,
    Message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${CancellationReasons.map(({ Code }) => Code).join(', ')}]`,
  });
}
