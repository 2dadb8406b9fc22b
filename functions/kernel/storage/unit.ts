import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';

import type { Actor } from '../authentication/caller.ts';
import { Failure } from '../errors.ts';
import type { EventData } from '../events/catalogue/index.ts';
import type { EventName } from '../events/catalogue/names.ts';
import { composeEvent, type PendingEvent } from '../events/compose.ts';
import { COMMIT_DEADLINE_MS, openCommit } from '../events/settlement.ts';
import { tableClient } from './client.ts';
import { StorageUnavailable } from './faults.ts';
import { merged } from './merge.ts';
import type { RowKey } from './row.ts';
import type { StagedWrite, Write } from './write.ts';

/** DynamoDB takes 100 items a transaction; the rest is room for events and the idempotency row. */
const MAX_WRITES = 90;

/** How a commit ended. */
export type Outcome =
  | { kind: 'committed' }
  /** Somebody changed a record since it was read, or is changing it now: read again and re-apply. */
  | { kind: 'conflict' }
  /** The idempotency row was there already: it holds the first answer. */
  | { kind: 'remembered' };

/** What an event tells beside its payload. */
export interface EventDetails {
  /** The organization that the event is about, for the filter of GET /events. */
  organizationId?: string | undefined;
  /** For `*.updated`: the former values of the members that changed. */
  previousAttributes?: Record<string, unknown> | undefined;
}

/**
 * A unit of work: the writes of one call, its events and its idempotency row, committed as one transaction or not at
 * all. A lone write without an event is committed as a plain conditional write, which costs half.
 */
export class Unit<Name extends EventName = EventName> {
  readonly #environmentId: string;
  readonly #actor: Actor;
  readonly #writes: StagedWrite[] = [];
  readonly #events: PendingEvent[] = [];
  readonly #done: Map<string, Promise<unknown>>;
  #memory: Write | undefined;
  #isSilent = false;

  /** @param done What `once` did for the call so far: shared by the units of a call that is applied again. */
  constructor(environmentId: string, actor: Actor, done = new Map<string, Promise<unknown>>()) {
    this.#environmentId = environmentId;
    this.#actor = actor;
    this.#done = done;
  }

  /**
   * Does what no transaction takes back, such as counting an attempt, once in a call, however often the call is applied
   * again after a conflict: later times are answered with the first outcome.
   */
  once<T>(name: string, work: () => Promise<T>): Promise<T> {
    const doing = (this.#done.get(name) as Promise<T> | undefined) ?? work();
    this.#done.set(name, doing);
    return doing;
  }

  /**
   * Adds writes. When the condition of one fails, the call is refused with `otherwise`; without it the call is applied
   * again to what the table holds by then. Writes of one row become one, see {@link merged}: each step revises the record
   * that the step before answered.
   */
  stage(writes: Write | readonly Write[], otherwise?: Failure): void {
    for (const write of Array.isArray(writes) ? (writes as Write[]) : [writes as Write])
      this.#writes.push({ ...write, otherwise });
  }

  /** From here on events are left out: for what moves in from elsewhere, of which others were told there. */
  silence(): void {
    this.#isSilent = true;
  }

  /** Adds an event, which happens when and only when the writes do. */
  emit<const N extends Name>(name: N, data: EventData<N>, details: EventDetails = {}): void {
    if (this.#isSilent) return;
    this.#events.push({ environmentId: this.#environmentId, actor: this.#actor, name, data, ...details });
  }

  /** Adds the row that remembers this call's answer. */
  remember(write: Write): void {
    this.#memory = write;
  }

  /** The key of the row that this unit writes for a record, by the record's id: the first, where it writes several. */
  rowOf(id: unknown): RowKey | undefined {
    const items = this.#writes.map(({ params }) => params.Item);
    const { pk, sk } = (items.find((item) => item !== undefined && item.id === id) ?? {}) as Partial<RowKey>;
    return pk === undefined || sk === undefined ? undefined : { pk, sk };
  }

  /** Whether there is anything to commit. */
  get isEmpty(): boolean {
    return this.#writes.length === 0 && this.#events.length === 0;
  }

  /**
   * Writes all of it.
   * @throws Failure of the first write whose condition failed and that was staged with one.
   * @throws RangeError for more writes than a transaction takes.
   */
  async commit(): Promise<Outcome> {
    if (this.isEmpty) return { kind: 'committed' };
    if (this.#events.length === 0) return this.#write();
    const closeCommit = openCommit();
    try {
      const outcome = await this.#write();
      closeCommit();
      return outcome;
    } catch (error) {
      // Without an answer the commit may still happen: GET /events goes on waiting for it.
      if (error instanceof Failure || isAnswer(error)) closeCommit();
      throw error;
    }
  }

  async #write(): Promise<Outcome> {
    // Ids and times of events are taken here, as late as can be: GET /events waits for what may still be on its way.
    const staged: StagedWrite[] = [...merged(this.#writes), ...this.#events.map(composeEvent)];
    if (staged.length > MAX_WRITES) {
      throw new RangeError(`A unit of work has ${staged.length} writes, at most ${MAX_WRITES} are taken`);
    }
    const [only] = staged;
    if (only !== undefined && staged.length === 1 && this.#memory === undefined && only.kind !== 'ConditionCheck') {
      return commitAlone(tableClient(), only, this.#events.length > 0);
    }
    return commitTogether(tableClient(), this.#memory, staged);
  }
}

/** Whether DynamoDB refused, so that nothing was written. */
function isAnswer(error: unknown): boolean {
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  return error instanceof StorageUnavailable || (status !== undefined && status < 500);
}

/** Ends a commit that may hold events when their deadline has passed, whatever the client's own time-outs would allow. */
const deadline = () => ({ abortSignal: AbortSignal.timeout(COMMIT_DEADLINE_MS) });

async function commitAlone(client: DynamoDBDocumentClient, write: StagedWrite, isEvent: boolean): Promise<Outcome> {
  const params = { ...write.params, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as never;
  const options = isEvent ? deadline() : {};
  try {
    if (write.kind === 'Put') await client.send(new PutCommand(params), options);
    else if (write.kind === 'Update') await client.send(new UpdateCommand(params), options);
    else await client.send(new DeleteCommand(params), options);
    return { kind: 'committed' };
  } catch (error) {
    // Somebody's transaction has the item: the same as a cancelled one of our own.
    if (error instanceof Error && error.name === 'TransactionConflictException') return { kind: 'conflict' };
    if (!(error instanceof Error) || error.name !== 'ConditionalCheckFailedException') throw error;
    if (isOwnEcho(write, error)) return { kind: 'committed' };
    if (write.otherwise !== undefined) throw write.otherwise;
    return { kind: 'conflict' };
  }
}

/** A failed condition with what the table has, and how often the client asked. */
interface RefusedWrite extends Error {
  Item?: Record<string, { S?: string; N?: string }>;
  $metadata?: { attempts?: number };
}

/**
 * Whether a failed condition only met the client's own first attempt, whose answer was lost on the way. Without one before
 * it, it met a rival, who may well have written in the same millisecond what looks like this.
 */
function isOwnEcho(write: StagedWrite, { Item: found, $metadata }: RefusedWrite): boolean {
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
    await client.send(new TransactWriteCommand({ TransactItems: items }), deadline());
    return { kind: 'committed' };
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    return outcomeOf(error.CancellationReasons ?? [], memory !== undefined, staged);
  }
}

function outcomeOf(
  reasons: readonly CancellationReason[],
  isRemembering: boolean,
  staged: readonly StagedWrite[],
): Outcome {
  const failed = (reason: CancellationReason | undefined) => reason?.Code === 'ConditionalCheckFailed';
  if (isRemembering && failed(reasons[0])) return { kind: 'remembered' };
  const own = isRemembering ? reasons.slice(1) : reasons;
  const codes = new Set(own.map(({ Code }) => Code));
  for (const code of ['ThrottlingError', 'ProvisionedThroughputExceeded']) {
    if (codes.has(code)) throw new StorageUnavailable(`DynamoDB cancelled a transaction: ${code}`);
  }
  for (const code of ['ValidationError', 'ItemCollectionSizeLimitExceeded']) {
    if (codes.has(code)) throw new Error(`DynamoDB cancelled a transaction: ${code}`);
  }
  const refused = staged.find((write, at) => write.otherwise !== undefined && failed(own[at]));
  // A refusal is final only when nothing else moved: a stale read may have staged the wrong write.
  const isStale = staged.some((write, at) => write.otherwise === undefined && failed(own[at]));
  if (refused?.otherwise !== undefined && !isStale) throw refused.otherwise;
  return { kind: 'conflict' };
}
