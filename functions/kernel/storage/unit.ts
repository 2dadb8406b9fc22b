import { channel } from 'node:diagnostics_channel';

import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';

import type { Actor } from '../authentication/caller.ts';
import { Failure, general } from '../errors.ts';
import type { EventOrigin, OwnContext } from '../events/catalogue/context.ts';
import type { EventData } from '../events/catalogue/index.ts';
import type { EventName } from '../events/catalogue/names.ts';
import { composeEvent, type PendingEvent } from '../events/compose.ts';
import { changedMembers } from '../events/previous.ts';
import { openCommit, type SendOptions, untilDeadline } from '../events/settlement.ts';
import { logContext } from '../log.ts';
import { tableClient } from './client.ts';
import { admitWrite } from './epoch.ts';
import { isConditionFailure, StorageUnavailable } from './faults.ts';
import { merged } from './merge.ts';
import type { RowKey } from './row.ts';
import type { Change } from './record-writes.ts';
import type { RecordChange, StagedWrite, Write } from './write.ts';

/**
 * Maximum number of writes. DynamoDB accepts 100 items in a transaction; the rest is room for events and the idempotency
 * row.
 */
const MAX_WRITES = 90;

/** The result of a commit. */
export type Outcome =
  | { kind: 'committed' }
  /**
   * A record was changed since it was read, or is being changed now: the caller reads again and applies its changes again.
   */
  | { kind: 'conflict' }
  /** The idempotency row exists already: it contains the first response. */
  | { kind: 'replayed' };

/** The members of an event in addition to its payload. */
export interface EventDetails {
  /** The organization that the event is about, for the filter of GET /events. */
  organizationId?: string | undefined;
  /** Members of the context that this event has, in addition to those of all events. */
  context?: OwnContext | undefined;
  /** The previous values of the changed members, for an event `*.updated`. */
  previousAttributes?: Record<string, unknown> | undefined;
}

/** A committed unit of work, as published on {@link commits}. */
export interface Commit {
  /** The operation that was called; undefined for a worker. */
  operation: string | undefined;
  changes: readonly RecordChange[];
  events: readonly { name: string; data: unknown }[];
  /** True if its events were left out, see {@link Unit.suppressEvents}. */
  isSilent: boolean;
}

/**
 * The channel on which each {@link Commit} is published for observers in the process, such as tests. Without observers it
 * costs nothing.
 */
export const commits = channel('gatehouse.commits');

/**
 * A unit of work: the writes of one call, its events and its idempotency row, committed as one transaction or not at
 * all. A single write without an event is a plain conditional write, which costs half.
 */
export class Unit<Name extends EventName = EventName> {
  readonly #environmentId: string;
  readonly #actor: Actor;
  readonly #writes: StagedWrite[] = [];
  readonly #events: PendingEvent[] = [];
  readonly #done: Map<string, Promise<unknown>>;
  readonly #isDryRun: boolean;
  #memory: Write | undefined;
  #isSilent = false;
  #origin: EventOrigin = {};
  #logDetails: Readonly<Record<string, string>> = {};

  /**
   * @param done Results of `once` in this call, shared by its units after conflicts.
   * @param isDryRun True if it is only rehearsed (`rehearsal.ts`) and never committed.
   */
  constructor(environmentId: string, actor: Actor, done = new Map<string, Promise<unknown>>(), isDryRun = false) {
    this.#environmentId = environmentId;
    this.#actor = actor;
    this.#done = done;
    this.#isDryRun = isDryRun;
  }

  /**
   * Does irreversible work, such as counting an attempt, once in a call, even if the call is applied again after a
   * conflict: later calls get the first result. A dry run is rejected, since no transaction takes this work back.
   */
  once<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (this.#isDryRun) throw new Failure(general.dryRunNotSupported);
    const doing = (this.#done.get(name) as Promise<T> | undefined) ?? work();
    this.#done.set(name, doing);
    return doing;
  }

  /**
   * Adds writes. If the condition of one fails, the call is rejected with its error; without an error, the call is applied
   * again to the current state of the table. Writes of one row are merged, see {@link merged}: each step revises the record
   * that the previous step returned.
   */
  stage(writes: Write | readonly Write[], onConditionFailed?: Failure): void {
    for (const write of Array.isArray(writes) ? (writes as Write[]) : [writes as Write])
      this.#writes.push({ ...write, onConditionFailed });
  }

  /**
   * Leaves out all events from this call on, for imported records, whose events were sent by the system that they come
   * from.
   */
  suppressEvents(): void {
    this.#isSilent = true;
  }

  /** Gives all events of this unit of work the application of a sign-in and its analytics in their context. */
  setOrigin(origin: EventOrigin): void {
    this.#origin = origin;
  }

  /** Adds metadata to the line of an operator's call in the log, such as the filter of an export. It has no effect for other callers. */
  describe(details: Readonly<Record<string, string>>): void {
    this.#logDetails = { ...this.#logDetails, ...details };
  }

  /** The metadata of {@link describe}. */
  get logDetails(): Readonly<Record<string, string>> {
    return this.#logDetails;
  }

  /** Adds an event, which is sent if and only if the writes are committed. */
  emit<const N extends Name>(name: N, data: EventData<N>, details: EventDetails = {}): void {
    if (this.#isSilent) return;
    this.#events.push({ environmentId: this.#environmentId, actor: this.#actor, name, data, ...details });
  }

  /**
   * Adds the change of a record and the event for it.
   * @param present makes the event's data from the record
   * @param details `former` is the record before the change: its members that differ become `previous_attributes`
   * @returns the record after the change
   */
  announce<T, const N extends Name>(
    { record, write }: Change<T>,
    name: N,
    present: (record: T) => EventData<N>,
    { former, ...details }: EventDetails & { former?: T | undefined } = {},
  ): T {
    this.stage(write);
    const data = present(record);
    const previousAttributes = former && (changedMembers(present(former) as object, data) as Record<string, unknown>);
    this.emit(name, data, { previousAttributes, ...details });
    return record;
  }

  /** Adds the idempotency row of this call. */
  stageReplayRecord(write: Write): void {
    this.#memory = write;
  }

  /** The key of the row that this unit writes for a record, by the record's id: the first one, if there are several. */
  findRow(id: unknown): RowKey | undefined {
    const items = this.#writes.map(({ params }) => params.Item);
    const { pk, sk } = (items.find((item) => item !== undefined && item.id === id) ?? {}) as Partial<RowKey>;
    return pk === undefined || sk === undefined ? undefined : { pk, sk };
  }

  /** Removes all writes and events so far: those of an attempt that the call gives up, to end in another way. */
  discard(): void {
    this.#writes.length = 0;
    this.#events.length = 0;
  }

  /** Reports whether it writes a row that all changes of a set of rows write, one after the other. */
  get hasTurn(): boolean {
    return this.#writes.some(({ isTurn }) => isTurn === true);
  }

  /** Reports whether there are any writes to commit. */
  get isEmpty(): boolean {
    return this.#writes.length === 0 && this.#events.length === 0;
  }

  /**
   * Commits all writes.
   * @throws Failure of the first write with a failed condition and an error
   * @throws RangeError for more writes than a transaction accepts
   */
  async commit(): Promise<Outcome> {
    if (this.isEmpty) return { kind: 'committed' };
    const outcome = await this.#commit();
    if (outcome.kind === 'committed' && commits.hasSubscribers) commits.publish(this.#asCommit());
    return outcome;
  }

  #asCommit(): Commit {
    const changes = this.#writes.flatMap(({ change }) => change ?? []);
    const events = this.#events.map(({ name, data }) => ({ name, data }));
    return { operation: logContext()?.operation as string | undefined, changes, events, isSilent: this.#isSilent };
  }

  async #commit(): Promise<Outcome> {
    if (this.#events.length === 0) return this.#write();
    const closeCommit = openCommit();
    try {
      const outcome = await this.#write();
      closeCommit();
      return outcome;
    } catch (error) {
      // Without a response the commit may still happen, so GET /events continues to wait for it.
      if (error instanceof Failure || isRejectedTransaction(error)) closeCommit();
      throw error;
    }
  }

  /** The events that it would emit, for a dry run. */
  get events(): readonly Pick<PendingEvent, 'name' | 'data' | 'previousAttributes'>[] {
    return this.#events;
  }

  /**
   * Composes all writes of the transaction, merged, with the rows of the events.
   * @throws RangeError for more writes than a transaction accepts
   */
  compose(): StagedWrite[] {
    const staged: StagedWrite[] = [
      ...merged(this.#writes),
      ...this.#events.map((event) => composeEvent(event, this.#origin)),
    ];
    if (staged.length > MAX_WRITES) {
      throw new RangeError(`A unit of work has ${staged.length} writes, at most ${MAX_WRITES} are taken`);
    }
    return staged;
  }

  async #write(): Promise<Outcome> {
    // Rows that are found without their environment have keys that do not name it.
    await admitWrite(tableClient(), this.#environmentId);
    // Ids and times of events are made here, as late as possible: GET /events waits for commits that are in progress.
    const staged = this.compose();
    const [only] = staged;
    if (only !== undefined && staged.length === 1 && this.#memory === undefined && only.kind !== 'ConditionCheck') {
      return commitSingleWrite(tableClient(), only, this.#events.length > 0);
    }
    return commitTogether(tableClient(), this.#memory, staged);
  }
}

/** Reports whether DynamoDB rejected the transaction, so that nothing was written. */
function isRejectedTransaction(error: unknown): boolean {
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  return error instanceof StorageUnavailable || (status !== undefined && status < 500);
}

async function commitSingleWrite(
  client: DynamoDBDocumentClient,
  write: StagedWrite,
  isEvent: boolean,
): Promise<Outcome> {
  const params = { ...write.params, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as never;
  const send = async (options: SendOptions = {}): Promise<unknown> => {
    if (write.kind === 'Put') return client.send(new PutCommand(params), options);
    if (write.kind === 'Update') return client.send(new UpdateCommand(params), options);
    return client.send(new DeleteCommand(params), options);
  };
  try {
    await (isEvent ? untilDeadline(send) : send());
    return { kind: 'committed' };
  } catch (error) {
    // Another transaction is writing the item, which has the same meaning as a cancelled transaction.
    if (error instanceof Error && error.name === 'TransactionConflictException') return { kind: 'conflict' };
    if (!isConditionFailure(error)) throw error;
    if (isOwnEcho(write, error)) return { kind: 'committed' };
    if (write.onConditionFailed !== undefined) throw write.onConditionFailed;
    return { kind: 'conflict' };
  }
}

/** The error for a failed condition, with the existing row and the client's number of attempts. */
interface FailedWrite extends Error {
  Item?: Record<string, { S?: string; N?: string }>;
  $metadata?: { attempts?: number };
}

/**
 * Reports whether a failed condition was caused by the client's own first attempt, whose response was lost. Without an
 * earlier attempt it was a concurrent call, which may have written the same values in the same millisecond.
 */
function isOwnEcho(write: StagedWrite, { Item: found, $metadata }: FailedWrite): boolean {
  const wanted = write.params.Item;
  if (($metadata?.attempts ?? 1) < 2 || wanted === undefined || found === undefined) return false;
  return (
    found.updatedAt?.S === wanted.updatedAt &&
    found.version?.N === String(wanted.version) &&
    found.createdAt?.S === wanted.createdAt &&
    Object.keys(found).length === Object.keys(wanted).length
  );
}

async function commitTogether(
  client: DynamoDBDocumentClient,
  memory: Write | undefined,
  staged: readonly StagedWrite[],
): Promise<Outcome> {
  const items = (memory === undefined ? staged : [memory, ...staged]).map(({ kind, params }) => ({ [kind]: params }));
  try {
    await untilDeadline((options) => client.send(new TransactWriteCommand({ TransactItems: items }), options));
    return { kind: 'committed' };
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    return readOutcome(error.CancellationReasons ?? [], memory !== undefined, staged);
  }
}

/** Reads the reasons for which DynamoDB cancelled a transaction. @throws Failure of a failed condition with an error */
export function readOutcome(
  reasons: readonly CancellationReason[],
  isReplayable: boolean,
  staged: readonly StagedWrite[],
): Outcome {
  const failed = (reason: CancellationReason | undefined) => reason?.Code === 'ConditionalCheckFailed';
  if (isReplayable && failed(reasons[0])) return { kind: 'replayed' };
  const own = isReplayable ? reasons.slice(1) : reasons;
  const codes = new Set(own.map(({ Code }) => Code));
  for (const code of ['ThrottlingError', 'ProvisionedThroughputExceeded']) {
    if (codes.has(code)) throw new StorageUnavailable(`DynamoDB cancelled a transaction: ${code}`);
  }
  for (const code of ['ValidationError', 'ItemCollectionSizeLimitExceeded']) {
    if (codes.has(code)) throw new Error(`DynamoDB cancelled a transaction: ${code}`);
  }
  const failedWrite = staged.find((write, at) => write.onConditionFailed !== undefined && failed(own[at]));
  // An error is final only if no other condition failed: a stale read may have staged the wrong write.
  const isStale = staged.some((write, at) => write.onConditionFailed === undefined && failed(own[at]));
  if (failedWrite?.onConditionFailed !== undefined && !isStale) throw failedWrite.onConditionFailed;
  return { kind: 'conflict' };
}
