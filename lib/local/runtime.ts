import { forgetCallers } from '../../functions/kernel/authentication/api-key.ts';
import { forgetGrants } from '../../functions/kernel/authentication/grantee.ts';
import { clock } from '../../functions/kernel/clock.ts';
import { awaitAll } from '../../functions/kernel/concurrency.ts';
import { settings } from '../../functions/kernel/settings.ts';
import type { Table, Topology } from '../topology/model.ts';
import { registrableDomain } from '../topology/registrable-domain.ts';
import type { BusEvent } from './bus/deliverer.ts';
import type { Idleness } from './control/controls.ts';
import type { DataFolder } from './data-folder.ts';
import { type Engines, startEngines } from './engines.ts';
import { InitialRows, type Kept } from './initial-rows.ts';
import { Functions, type LoadModule } from './functions.ts';
import { Abandoned, type Invocation, Invocations } from './invocations.ts';
import { LocalClock } from './local-clock.ts';
import { feedbackEvent, type NewFeedback } from './messages/feedback.ts';
import { Outbox } from './messages/outbox.ts';
import { Policies } from './policy/policies.ts';
import { Counters } from './proxy/counters.ts';
import { type Fault, Faults, type NewFault } from './proxy/faults.ts';
import { type Proxies, startProxies } from './proxy/proxies.ts';
import { type Sources, startSources } from './sources/sources.ts';
import { Timeline } from './timeline/timeline.ts';
import { LaggingLists } from './table/lagging-lists.ts';
import type { Trace } from './timeline/trace.ts';
import { sweep } from './table/sweeper.ts';
import { setVariables } from './variables.ts';
import type * as z from 'zod';

/** The options of a runtime. */
export interface RuntimeOptions {
  folder: DataFolder;
  topology: Topology;
  load: LoadModule;
  foreignTable: string | undefined;
  /** True if the table's consumed capacity is counted. */
  measures: boolean;
  /** The public address of the gateway. */
  baseUrl: string;
  /** Writes the initial rows of every empty table. */
  begin: () => Promise<void>;
  /** Reads the rows that a reset keeps. */
  keep: () => Promise<Kept>;
  onError: (message: string, error: unknown) => void;
}

const SWEEP_MS = 60_000;
/** Maximum time in ms that a reset waits for calls in the engines. */
const SETTLE_LIMIT_MS = 1_000;
const TABLE_WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems', 'BatchWriteItem']);

/** Everything behind the gateway: engines, proxies, functions, and their event sources. */
export class Runtime {
  readonly outbox: Outbox;
  readonly faults = new Faults();
  readonly counters = new Counters();
  readonly timeline = new Timeline({ timestamp: () => clock.timestamp() });
  readonly functions: Functions;
  readonly #options: RuntimeOptions;
  readonly #clock: LocalClock;
  readonly #invocations = new Invocations();
  #engines!: Engines;
  #policies!: Policies;
  #proxies!: Proxies;
  #sources!: Sources;
  #initialRows!: InitialRows;
  #lists: LaggingLists | undefined;
  #sweeper: NodeJS.Timeout | undefined;
  #sweeping: Promise<unknown> = Promise.resolve();
  #gate: Promise<void> = Promise.resolve();
  /** The time of the last write to the table, on the process's own clock. */
  #writtenAt = -Infinity;
  #isResetting = false;
  /** False while the first rows are written, which the sources read when they start. */
  #isStarted = false;

  private constructor(options: RuntimeOptions) {
    this.#options = options;
    this.#clock = new LocalClock(options.folder);
    this.outbox = new Outbox(options.folder.database, () => clock.timestamp());
    this.outbox.listen((message) => this.timeline.capture(message));
    this.functions = new Functions(options.topology, options.load, this.#invocations);
    this.counters.measuresCapacity = options.measures;
  }

  /** Starts all parts. @throws StartError */
  static async start(options: RuntimeOptions): Promise<Runtime> {
    const runtime = new Runtime(options);
    await runtime.#start();
    return runtime;
  }

  async #start(): Promise<void> {
    const { folder, topology, foreignTable, baseUrl, begin, keep, onError } = this.#options;
    const now = () => clock.now();
    // An engine is unavailable for a moment during a reset, which must not be reported.
    const reportError: typeof onError = (message, error) => (this.#isResetting ? undefined : onError(message, error));
    const deliver = (arn: string, event: BusEvent) => this.#deliver(arn, event, reportError);
    const { outbox } = this;
    this.#engines = await startEngines({
      folder,
      topology,
      now,
      deliver,
      outbox,
      foreignTable,
    });
    const { GATEHOUSE_KMS_KEY: kmsKey = '', GATEHOUSE_EVIDENCE_KEY: evidenceKey = '' } = this.#engines.variables('');
    this.#policies = new Policies(topology, { kmsKey, evidenceKey });
    const { faults, counters } = this;
    const table = {
      rewrite: (operation: string, input: object) => this.#lists?.rewrite(operation, input) ?? input,
      onDone: (operation: string, input: object, invocation: Invocation | undefined) => {
        if (!TABLE_WRITES.has(operation)) return;
        this.timeline.observe(input, invocation);
        this.#onWrite();
      },
    };
    const engines = this.#engines;
    this.#proxies = await startProxies({
      engines,
      invocations: this.#invocations,
      faults,
      counters,
      policies: this.#policies,
      table,
    });
    const { urls } = this.#proxies;
    setVariables(urls, {
      ...engines.variables(urls.queues),
      GATEHOUSE_BASE_URL: baseUrl,
      GATEHOUSE_REGISTRABLE_DOMAIN: registrableDomain(new URL(baseUrl).hostname),
    });
    this.#initialRows = new InitialRows({ table: this.#mainTable, engine: () => engines.table(), begin, keep });
    await begin();
    const invoke = (name: string, event: unknown) => this.#invokeFromSource(name, event);
    this.#sources = startSources(topology, engines, invoke, folder, reportError);
    this.#isStarted = true;
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS);
    this.#sweep();
  }

  /** The endpoints for AWS clients of this machine, by the environment variable of each. */
  get endpoints(): Readonly<Record<string, string>> {
    return this.#proxies.urls;
  }

  /** Resolves when no reset is in progress. */
  readonly open = (): Promise<void> => this.#gate;

  /** Moves the clock forward and starts work that has become due. Lists then lag by less time than was skipped. */
  async advance(seconds: number): Promise<void> {
    await this.#lists?.caughtUp();
    this.#clock.advance(seconds);
    this.#sources.advance(seconds * 1_000);
    this.#engines.bus.wake();
    this.#sweep();
  }

  /**
   * Returns to the machine's own time. Records keep the times that they have, so what was made later expires later, and events
   * of later times are listed when their time has come.
   */
  async returnToRealTime(): Promise<void> {
    await this.#lists?.caughtUp();
    this.#clock.reset();
    this.#sources.onSetBack();
    this.#engines.bus.wake();
  }

  /**
   * Empties all stores; running work is abandoned and leaves nothing behind. One reset at a time.
   * @param faults those that are active afterwards
   * @returns the calls of functions that their policies denied since the last reset
   */
  async reset(faults: readonly z.output<typeof NewFault>[] = []): Promise<string[]> {
    const done = this.#gate.then(() => this.#reset(faults));
    this.#gate = done.catch(() => undefined);
    await done;
    return this.#policies.takeDenied();
  }

  async #reset(faults: readonly z.output<typeof NewFault>[]): Promise<void> {
    this.#isResetting = true;
    try {
      await this.#empty(faults);
    } finally {
      this.#isResetting = false;
    }
  }

  async #empty(faults: readonly z.output<typeof NewFault>[]): Promise<void> {
    this.#invocations.abandon();
    this.functions.reset();
    this.faults.clear();
    const lists = this.#lists;
    this.#lists = undefined;
    await awaitAll([lists?.close(), this.#proxies.settled(SETTLE_LIMIT_MS), this.#sweeping]);
    const writeInitialRows = await this.#initialRows.keep();
    const stream = await this.#engines.reset();
    this.#clock.reset();
    this.timeline.clear();
    forgetCallers();
    forgetGrants();
    this.counters.clear();
    await this.#sources.reset(stream);
    const items = await writeInitialRows();
    for (const fault of faults) this.faults.add(fault);
    if (lists?.isOf(this.#engines.table(), this.faults.listsBehindMs) === true) {
      await lists.restart(items);
      this.#lists = lists;
    } else await this.#followLists();
  }

  /** The table that has the records. */
  get #mainTable(): Table {
    const table = this.#options.topology.tables.find(({ stream }) => stream);
    if (table === undefined) throw new Error('The topology has no table with a stream');
    return table;
  }

  /**
   * Reports a captured mail as SES does.
   * @returns false if no such mail was captured, or by an older version
   */
  async report({ message_id, kind }: z.output<typeof NewFeedback>): Promise<boolean> {
    const message = this.outbox.find(message_id);
    if (message?.channel !== 'email' || message.sending_id === '') return false;
    await this.#engines.report(feedbackEvent(message, kind));
    return true;
  }

  /** Activates a fault. */
  async addFault(fault: z.output<typeof NewFault>): Promise<Fault> {
    const added = this.faults.add(fault);
    await this.#followLists();
    return added;
  }

  /** Removes one fault, or all. @returns whether there was any */
  async clearFaults(id: string | undefined): Promise<boolean> {
    const cleared = this.faults.clear(id);
    await this.#followLists();
    return cleared;
  }

  async #followLists(): Promise<void> {
    const behindMs = this.faults.listsBehindMs;
    if (behindMs === undefined) {
      const lists = this.#lists;
      this.#lists = undefined;
      await lists?.close();
      return;
    }
    this.#lists ??= await LaggingLists.start(this.#engines.table(), this.#mainTable, behindMs);
  }

  /** The pending work. If only lists lag, they catch up at once, however long their lag is. */
  idleness(): Idleness {
    const sources = this.#sources.isIdle();
    const bus = this.#engines.bus.pending();
    const queues = this.#sources.pendingMessages();
    const running = this.#invocations.running;
    const lists = this.#lists?.isCaughtUp ?? true;
    const events = performance.now() - this.#writtenAt > settings().GATEHOUSE_EVENT_HORIZON_MS;
    const { late, calls } = this.#invocations;
    const isQuiet = sources && bus === 0 && queues.ready + queues.held === 0 && running === 0 && calls === 0;
    if (isQuiet) this.#lists?.hurry();
    const idle = isQuiet && lists && events && late.length === 0;
    return { idle, running, sources, bus, queues, lists, events, late };
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await this.#sources.close();
    await awaitAll([this.#lists?.close(), this.#sweeping]);
    await this.#proxies.close();
    await this.#engines.close();
    this.#invocations.close();
  }

  #onWrite(): void {
    this.#writtenAt = performance.now();
    if (!this.#isStarted) return;
    this.#sources.onWrite();
    this.#lists?.wake();
  }

  /** Sends an event of the bus to its worker. A failure is logged, since the bus retries for a day without a log line. */
  async #deliver(targetArn: string, event: BusEvent, onError: RuntimeOptions['onError']): Promise<void> {
    const worker = targetArn.split(':').at(-1) ?? '';
    try {
      await this.#invokeFromSource(worker, event, this.timeline.findCause([event.detail.id]));
    } catch (error) {
      if (!(error instanceof Abandoned)) onError(`worker ${worker} failed with ${event['detail-type']}`, error);
      throw error;
    }
  }

  /** Messages that a source delivers during a reset were sent before it. */
  async #invokeFromSource(name: string, event: unknown, cause?: Trace): Promise<unknown> {
    if (this.#isResetting) throw new Abandoned('A reset is in progress');
    return this.functions.invoke(name, event, cause);
  }

  #sweep(): void {
    if (this.faults.keepsExpired) return;
    const { topology, onError } = this.#options;
    this.#sweeping = this.#sweeping.then(async () => {
      try {
        for (const table of topology.tables) await sweep(this.#engines.table(), table, clock.seconds());
      } catch (error) {
        onError('expired rows could not be removed', error);
      }
    });
  }
}
