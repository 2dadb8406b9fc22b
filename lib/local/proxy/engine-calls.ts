import { setTimeout as delay } from 'node:timers/promises';

import { type AwsReply, type InProcessCall, makeError } from '../in-process-call.ts';
import { Abandoned, type Invocation, type Invocations } from '../invocations.ts';
import type { Policies } from '../policy/policies.ts';
import type { Counters } from './counters.ts';
import { type Dependency, findReplacement, makeFailedResponse, unavailableCodes } from './dependency.ts';
import type { Fault, Faults } from './faults.ts';

/** The options of the calls of an engine. */
export interface EngineCallsOptions {
  dependency: 'table' | 'keys' | 'bus';
  /** Carries out an operation. It throws if the engine is unavailable. */
  run: (operation: string, input: object) => AwsReply | Promise<AwsReply>;
  invocations: Invocations;
  faults: Faults;
  counters: Counters;
  policies: Policies;
  /** Changes a request before it is sent, for stale lists. */
  rewrite?: (operation: string, input: object) => object;
  /** Runs after a successful call of the engine. */
  onDone?: (operation: string, input: object, invocation: Invocation | undefined) => void;
}

/** A call of an engine, by a function in this process or by a client of another one. */
export interface EngineCall {
  operation: string;
  /** The request in the form of the protocol. */
  input: object;
  invocation: Invocation | undefined;
  /** Waits for the time of a delay. @returns whether the caller still waits for the response */
  wait: (delayMs: number) => Promise<boolean>;
}

/** The result of a call: a response, `lost` after a call whose response the caller does not get, or `not awaited` if the caller left before. */
export type EngineResult = AwsReply | 'lost' | 'not awaited';

/**
 * The calls of an engine that speaks the AWS JSON protocol: they are counted and get the injected faults, and calls of invocations
 * that a reset has interrupted are rejected.
 */
export class EngineCalls {
  readonly #options: EngineCallsOptions;
  #forwarding = 0;

  constructor(options: EngineCallsOptions) {
    this.#options = options;
  }

  /** Number of calls that the engine executes at present. */
  get forwarding(): number {
    return this.#forwarding;
  }

  /** Carries out a call, or the fault that was injected for it. */
  async call({ operation, input, invocation, wait }: EngineCall): Promise<EngineResult> {
    const { dependency, invocations, faults, counters, policies } = this.#options;
    const end = counters.begin(invocation, dependency, operation);
    try {
      const fault = faults.meet(dependency, operation, invocation?.functionName, input);
      if (fault !== undefined && !(await passes(fault, faults, wait))) return 'not awaited';
      if (invocation !== undefined && !invocations.isCurrent(invocation)) {
        return fail(dependency, 400, 'AbandonedByReset');
      }
      const denial = policies.deny(invocation, dependency, operation, input);
      if (denial !== undefined) return fail(dependency, 400, 'AccessDeniedException', { message: denial });
      const failure = fault && makeFailure(fault, dependency, operation, input);
      if (failure !== undefined) return failure;
      if (fault?.kind === 'partial') return await this.#putHalf(input as Entries, invocation);
      const measures = dependency === 'table' && counters.measuresCapacity;
      const sent = measures ? { ReturnConsumedCapacity: 'KEYS', ...input } : input;
      const reply = await this.#forward(operation, sent, invocation);
      if (fault?.kind === 'lost_response') return 'lost';
      if (measures && reply.status < 300) counters.addCapacity(invocation, operation, reply.body);
      return reply;
    } finally {
      end();
    }
  }

  async #forward(operation: string, input: object, invocation: Invocation | undefined): Promise<AwsReply> {
    const { dependency, run, rewrite, onDone } = this.#options;
    this.#forwarding += 1;
    let reply: AwsReply;
    try {
      reply = await run(operation, rewrite?.(operation, input) ?? input);
    } catch {
      // The engine is unavailable: the response is the one that a client gets from an unavailable service.
      return fail(dependency, ...unavailableCodes[dependency]);
    } finally {
      this.#forwarding -= 1;
    }
    // An error of this is a fault of the local service, and must not look like a call that failed.
    if (reply.status < 300) onDone?.(operation, input, invocation);
    return reply;
  }

  /** Puts every other event on the bus; the others fail. */
  async #putHalf({ Entries }: Entries, invocation: Invocation | undefined): Promise<AwsReply> {
    const kept = Entries.filter((_, at) => at % 2 !== 0);
    const put = kept.length === 0 ? NOTHING_PUT : await this.#forward('PutEvents', { Entries: kept }, invocation);
    const results = [...((put.body as Partial<Entries>).Entries ?? [])];
    for (let at = 0; at < Entries.length; at += 2) {
      results.splice(at, 0, { ErrorCode: 'InternalFailure', ErrorMessage: 'Injected by /_local/faults' });
    }
    return { status: 200, body: { FailedEntryCount: Entries.length - kept.length, Entries: results } };
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
    const wait = (ms: number): Promise<boolean> => waitWithin(sent, ms);
    const result = await invocations.observe(invocation, operation, () =>
      this.call({ operation, input, invocation, wait }),
    );
    if (result === 'lost') throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    if (result !== 'not awaited') return result;
    if (sent.signal?.aborted === true) throw makeError('AbortError', 'The call was aborted');
    throw makeError('TimeoutError', `${operation} had no response in ${requestMs} ms`);
  }
}

/** Time in ms for which a call is held at most; its caller leaves before. */
const MOST_WAIT_MS = 60_000;

/** Waits as long as a fault delays or holds a call. @returns whether the client still waits for the response */
async function passes(fault: Fault, faults: Faults, wait: EngineCall['wait']): Promise<boolean> {
  if (fault.kind === 'delay') return wait(fault.delay_ms);
  if (fault.kind !== 'hold') return true;
  return Promise.race([wait(MOST_WAIT_MS), faults.untilReleased(fault).then(() => true)]);
}

/** Waits for a delay, at most as long as the client's limit. @returns whether the client still waits */
async function waitWithin({ requestMs, signal }: InProcessCall, delayMs: number): Promise<boolean> {
  const options = signal === undefined ? {} : { signal };
  await delay(Math.min(delayMs, requestMs), undefined, options).catch(() => undefined);
  return delayMs < requestMs && signal?.aborted !== true;
}

/** The entries of PutEvents, or its results. */
interface Entries {
  Entries: unknown[];
}

const NOTHING_PUT: AwsReply = { status: 200, body: { Entries: [] } };

function fail(dependency: Dependency, status: number, code: string, extra?: object): AwsReply {
  const { body } = makeFailedResponse(dependency, status, code, extra);
  return { status, body: JSON.parse(body) as Record<string, unknown> };
}

/** The error response instead of the call; undefined for faults that do not replace the call. */
function makeFailure({ kind }: Fault, dependency: Dependency, operation: string, input: object): AwsReply | undefined {
  const replacement = findReplacement(kind, dependency);
  if (replacement !== undefined) return fail(dependency, ...replacement);
  if (kind !== 'conflict') return undefined;
  if (operation !== 'TransactWriteItems') return fail(dependency, 400, 'TransactionConflictException');
  const { TransactItems } = input as { TransactItems: unknown[] };
  const CancellationReasons = TransactItems.map((_, at) =>
    at === 0 ? { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' } : { Code: 'None' },
  );
  return fail(dependency, 400, 'TransactionCanceledException', {
    CancellationReasons,
    Message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${CancellationReasons.map(({ Code }) => Code).join(', ')}]`,
  });
}
