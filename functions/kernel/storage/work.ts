import type { Trigger } from '../area.ts';
import { systemActor } from '../authentication/caller.ts';
import { clock } from '../clock.ts';
import type { BusDetail } from '../http/worker.ts';
import { newUlid } from '../ids.ts';
import { applyWork } from './background.ts';
import { collection } from './collection.ts';
import { entity, type RecordOf } from './entity.ts';
import { expiringAttributes, model, ownedAttributes, ownedIndex, recordAttributes, recordKey } from './record.ts';
import type { Unit } from './unit.ts';
import type { Write } from './write.ts';

/**
 * Work that a call leaves to a worker: the row is written in the call's transaction, and the relay carries it from the stream
 * to the bus, where a rule starts the worker. It is no event: `GET /events` and webhooks never see it. The row is there until the
 * work is done, and holds how far it has come.
 */
const WorkEntity = entity({
  model: model('work'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...expiringAttributes,
    /** The name of its kind. */
    name: { type: 'string', required: true },
    /** What its kind needs to know, as JSON. */
    data: { type: 'string', required: true },
    /** What the last step returned; absent before the first. */
    progress: { type: 'string' },
  },
  indexes: { primary: recordKey('work'), owned: ownedIndex },
});

type WorkRecord = RecordOf<typeof WorkEntity>;

/** The ElectroDB entity name by which the relay knows rows of work in the table's stream. */
export const WORK_ROW = 'work';

/** What the detail type of work on the bus begins with, and no event's name: a rule for all events leaves it out. */
export const WORK_PREFIX = 'work.';

/** The time-out of a worker that does work, in seconds: twice what it spends before it hands over to a next run. */
export const WORK_TIMEOUT_SECONDS = 600;

const rows = collection(WorkEntity);
/** Longer than dead letters are kept, which name the row. */
const LIFETIME_SECONDS = 30 * 86_400;
/** After this long a run leaves the rest to another one. A step takes as long at most. */
const RUN_MS = (WORK_TIMEOUT_SECONDS * 1_000) / 2;

/** One piece of work, as a step sees it. */
export interface Task<Data> {
  environmentId: string;
  data: Data;
  /** What the step before returned; undefined in the first. */
  progress: string | undefined;
}

/**
 * Does a part of some work, within five minutes, and may be run again with the same progress: it reads again and writes
 * conditionally.
 * @returns where the next step goes on, at most 100 KB; undefined when the work is done
 */
export type Step<Data> = (task: Task<Data>) => Promise<string | undefined>;

/** A kind of work and the step that does it. */
export interface Doer {
  name: string;
  step: (environmentId: string, data: string, progress: string | undefined) => Promise<string | undefined>;
}

/** A kind of work. */
export interface WorkKind<Data> {
  /** `<area>.<what it does>`, unique; waiting rows hold it, so it never changes. */
  name: string;
  /**
   * Stages a piece of work, which a worker does when, and only when, the unit commits. Two write units.
   * @param data At most 100 KB as JSON; what may grow is read again by the step.
   * @param owner With whom it goes (`ownerKey`): it is not done after the owner's rows are erased.
   */
  stage: (unit: Pick<Unit, 'stage'>, environmentId: string, data: Data, owner?: string) => void;
  /** Names the step that does this kind, for {@link performWork}. */
  by: (step: Step<Data>) => Doer;
}

/** Declares a kind of work. */
export const workKind = <Data>(name: string): WorkKind<Data> => ({
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
    step: (environmentId, data, progress) => step({ environmentId, data: JSON.parse(data) as Data, progress }),
  }),
});

/** What starts the worker of some kinds of work, for `on` of its declaration. */
export const onWork = (...kinds: readonly { name: string }[]): Trigger => ({
  kind: 'events',
  events: kinds.map(({ name }) => `${WORK_PREFIX}${name}`),
});

/**
 * Does a piece of work, step by step, from where an earlier run has come to. A step that throws ends the run: the bus starts
 * another one, and in the end the worker's dead letters name the work. Work that is done, or whose owner is erased, is left.
 * Each step costs a write unit beside its own.
 * @throws Error for a kind that no doer does
 */
export async function performWork(detail: BusDetail, doers: readonly Doer[]): Promise<void> {
  const doer = doers.find(({ name }) => `${WORK_PREFIX}${name}` === detail.event);
  if (doer === undefined) throw new Error(`No step does ${detail.event}`);
  const startedAt = performance.now();
  let row = await rows.get(detail.environment_id, detail.id);
  while (row !== undefined) {
    const progress = await doer.step(row.environmentId, row.data, row.progress);
    if (progress === undefined) return void (await finish(row));
    row = performance.now() - startedAt > RUN_MS ? await handOver(row, progress) : await advance(row, progress);
  }
}

const finish = (row: WorkRecord): Promise<unknown> => change(row, [rows.remove(row)]);

/** Notes how far some work has come. @returns undefined when another run has it */
async function advance(row: WorkRecord, progress: string): Promise<WorkRecord | undefined> {
  const { record, write } = rows.revise(row, { progress });
  return (await change(row, [write])) ? record : undefined;
}

/** Leaves the rest to a run of its own, which has its whole time: the stream carries a new row, not a changed one. */
async function handOver(row: WorkRecord, progress: string): Promise<undefined> {
  const { environmentId, name, data, owner, expiresAt } = row;
  const rest = rows.create({ environmentId, id: newUlid(), name, data, owner, expiresAt, progress });
  await change(row, [rows.remove(row), rest.write]);
}

/** Changes the row as this run knows it. @returns false when another run changed it, which then does the rest */
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
