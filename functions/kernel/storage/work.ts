import type { Trigger } from '../area.ts';
import { systemActor } from '../authentication/caller.ts';
import { clock } from '../clock.ts';
import type { BusDetail } from '../events/detail.ts';
import { newUlid } from '../ids.ts';
import { applyWork } from './background.ts';
import { collection } from './collection.ts';
import { dueAttributes, dueIndex, dueOn, forEachDue, SECOND_RUN_MS } from './due.ts';
import { entity, type RecordOf } from './entity.ts';
import { expiringAttributes, model, ownedAttributes, ownedIndex, recordAttributes, recordKey } from './record.ts';
import type { Unit } from './unit.ts';
import type { Write } from './write.ts';

/**
 * Work that a call leaves to a worker: the row is written in the call's transaction, and the relay passes it from the
 * stream to the bus, where a rule starts the worker. It is not an event: `GET /events` and webhooks never show it. The
 * row exists until the work is done, and stores its progress. Work that lists rows by an index is done once more, ten minutes
 * later: the index lags, and a call that read the former state may still write.
 */
const WorkEntity = entity({
  model: model('work'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...expiringAttributes,
    /** Present while the work waits for its second run. */
    ...dueAttributes,
    /** The name of the kind of work. */
    name: { type: 'string', required: true },
    /** The arguments of the work, as JSON. */
    data: { type: 'string', required: true },
    /** The result of the last step; absent before the first. */
    progress: { type: 'string' },
    /** True if this is the last run, from the beginning. */
    isLastRun: { type: 'boolean' },
  },
  indexes: { primary: recordKey('work'), due: dueIndex('work'), owned: ownedIndex },
});

type WorkRecord = RecordOf<typeof WorkEntity>;

/** The ElectroDB entity name by which the relay finds rows of work in the table's stream. */
export const WORK_ROW = 'work';

/** The prefix of the detail type of work on the bus, which no name of an event has. A rule for all events excludes it. */
export const WORK_PREFIX = 'work.';

/** The time limit of a worker that does work, in seconds: twice the time after which it leaves the rest to another run. */
export const WORK_TIMEOUT_SECONDS = 600;

const rows = collection(WorkEntity, 'internal');
/** Time in seconds for which a row is kept, longer than the retention of dead letters, which refer to it. */
const LIFETIME_SECONDS = 30 * 86_400;
/** Time after which a run leaves the rest to another one. It is also the maximum duration of a step. */
const RUN_MS = (WORK_TIMEOUT_SECONDS * 1_000) / 2;

/** One piece of work in the form that a step gets. */
export interface Task<Data> {
  environmentId: string;
  data: Data;
  /** The result of the previous step; undefined in the first. */
  progress: string | undefined;
}

/**
 * Does a part of the work, within five minutes, and may run again with the same progress: it reads again and writes
 * conditionally.
 * @returns the progress for the next step, at most 100 KB; undefined when the work is done
 */
export type Step<Data> = (task: Task<Data>) => Promise<string | undefined>;

/** A kind of work and the step that does it. */
export interface Doer {
  name: string;
  runs: 1 | 2;
  step: (environmentId: string, data: string, progress: string | undefined) => Promise<string | undefined>;
}

/** A kind of work. */
export interface WorkKind<Data> {
  /** The unique name `<area>.<verb>`. Rows of pending work contain it, so it never changes. */
  name: string;
  /**
   * Stages a piece of work, which a worker does if and only if the unit of work commits. It costs two write units.
   * @param data at most 100 KB as JSON; the step reads larger data itself
   * @param owner the owner that it is erased with (`ownerKey`): it is not done after the owner's rows are erased
   */
  stage: (unit: Pick<Unit, 'stage'>, environmentId: string, data: Data, owner?: string) => void;
  /** Sets the step that does this kind, for {@link performWork}. */
  by: (step: Step<Data>) => Doer;
}

/**
 * Declares a kind of work.
 * @param runs 2 if its steps list rows by an index or could miss a row that is written in the same moment: ten minutes after it is
 *   done, it is done once more from the beginning, so that it finds those rows. 1 if all its reads are consistent, and a transaction
 *   that would write such a row fails.
 */
export const workKind = <Data>(name: string, { runs }: { runs: 1 | 2 }): WorkKind<Data> => ({
  name,
  stage: (unit, environmentId, data, owner) =>
    unit.stage(
      rows.create({
        environmentId,
        id: newUlid(),
        name,
        data: JSON.stringify(data),
        owner,
        expiresAt: clock.seconds() + LIFETIME_SECONDS,
      }).write,
    ),
  by: (step) => ({
    name,
    runs,
    step: (environmentId, data, progress) => step({ environmentId, data: JSON.parse(data) as Data, progress }),
  }),
});

/** The trigger of a worker for some kinds of work, for `on` of its declaration. */
export const onWork = (...kinds: readonly { name: string }[]): Trigger => ({
  kind: 'events',
  events: workEvents(...kinds),
});

/** The detail types of kinds of work, for a worker that events start too. */
export const workEvents = (...kinds: readonly { name: string }[]): string[] =>
  kinds.map(({ name }) => `${WORK_PREFIX}${name}`);

/**
 * Does a piece of work, step by step, from its stored progress. A step that throws ends the run: the bus starts another
 * one, and finally the worker's dead letters name the work. Work that is done, or whose owner is erased, is skipped.
 * Each step costs a write unit in addition to its own.
 * @throws Error for a kind without a step
 */
export async function performWork(detail: BusDetail, doers: readonly Doer[]): Promise<void> {
  const doer = doers.find(({ name }) => `${WORK_PREFIX}${name}` === detail.event);
  if (doer === undefined) throw new Error(`No step does ${detail.event}`);
  const startedAt = performance.now();
  let row = await rows.get(detail.environment_id, detail.id);
  // A late repetition of an event must not begin the second run before its time.
  if (row?.dueAt !== undefined) return;
  while (row !== undefined) {
    const progress = await doer.step(row.environmentId, row.data, row.progress);
    if (progress === undefined) return finish(row, doer);
    row = performance.now() - startedAt > RUN_MS ? await handOver(row, progress) : await advance(row, progress);
  }
}

/** Ends the work, or plans its second run. */
async function finish(row: WorkRecord, { runs }: Doer): Promise<void> {
  const isDone = runs === 1 || row.isLastRun === true;
  const due = dueOn(row.id, clock.now() + SECOND_RUN_MS);
  const next = { progress: undefined, isLastRun: true, ...due };
  await change(row, [isDone ? rows.remove(row) : rows.revise(row, next).write]);
}

/** Starts the second runs that are due, of any kind of work: one schedule of the stage calls it. */
export const startLastRuns = (): Promise<void> =>
  forEachDue(rows.entity(), async ({ environmentId, id }) => {
    const row = await rows.get(environmentId, id);
    if (row?.dueAt !== undefined) await handOver(row);
  });

/**
 * Stores the progress of a piece of work.
 * @returns undefined if another run has taken it over
 */
async function advance(row: WorkRecord, progress: string): Promise<WorkRecord | undefined> {
  const { record, write } = rows.revise(row, { progress });
  return (await change(row, [write])) ? record : undefined;
}

/**
 * Leaves the rest to a new run with the full time limit. The stream starts a run only for a new row, not for a changed one.
 */
async function handOver(row: WorkRecord, progress?: string): Promise<undefined> {
  const { environmentId, name, data, owner, expiresAt, isLastRun } = row;
  const rest = rows.create({ environmentId, id: newUlid(), name, data, owner, expiresAt, isLastRun, progress });
  await change(row, [rows.remove(row), rest.write]);
}

/** Changes the row if no other run has changed it. @returns false if another run did, which then does the rest */
async function change(row: WorkRecord, writes: readonly Write[]): Promise<boolean> {
  let attempt = 0;
  let isOurs = true;
  await applyWork(row.environmentId, systemActor, async (unit) => {
    attempt += 1;
    if (attempt > 1) isOurs = (await rows.get(row.environmentId, row.id))?.version === row.version;
    if (isOurs) unit.stage(writes);
  });
  return isOurs;
}
