import { systemActor } from '../../../kernel/authentication/caller.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { type Task, workKind } from '../../../kernel/storage/work.ts';
import { activate, applyLeavers, applyRows, findOpenDirectory, STEP } from './apply.ts';
import { compare } from './compare.ts';
import { readContent, removalOfContent } from './content.ts';
import { findSnapshot, type SnapshotRecord, snapshots } from './entity.ts';
import { type LineError, readSnapshot, type SnapshotFile } from './file.ts';
import { listExternalIds } from './match.ts';

interface SnapshotWork {
  directoryId: string;
  snapshotId: string;
}

/** The work that compares a snapshot with its directory and applies it. All its reads are consistent. */
export const snapshotWork = workKind<SnapshotWork>('directory-sync.snapshot', { runs: 1 });

/** Maximum errors that a snapshot keeps. */
const MAX_ERRORS = 100;
/** Maximum users whose user name was taken that are applied once more. */
const MAX_TAKEN = 5_000;
const NAME_TAKEN = 'Another user of this directory has this userName.';

/** The position in the work of a snapshot: all users in their order, then those whose user name was taken, then leavers. */
type Progress =
  | { phase: 'users' | 'taken'; at: number; applied: number; taken: number[]; errors: LineError[] }
  | { phase: 'leavers'; after?: string | undefined };

/** The last text that this process has parsed, so that only the first step of a run reads it. */
let parsed: { id: string; file: SnapshotFile } | undefined;

async function readFile(snapshot: SnapshotRecord): Promise<SnapshotFile> {
  const id = `${snapshot.environmentId}#${snapshot.id}`;
  if (parsed?.id !== id) parsed = { id, file: readSnapshot(snapshot.format, await readContent(snapshot)) };
  return parsed.file;
}

type Changes = Parameters<typeof snapshots.revise>[1];

/** Changes a snapshot; one that has ended no longer has its text. */
async function change({ environmentId, directoryId, id }: SnapshotRecord, changes: Changes): Promise<void> {
  await applyWork(environmentId, systemActor, async (unit) => {
    const record = await findSnapshot(environmentId, directoryId, id);
    if (record === undefined) return;
    unit.stage(snapshots.revise(record, changes).write);
    if (changes.state !== undefined && changes.state !== 'applying') unit.stage(removalOfContent(record));
  });
}

/**
 * Does the next part of the work of a snapshot: compares it with the directory, or applies some of its rows. A part that
 * was interrupted is repeated.
 * @returns the progress as JSON; undefined after the last part
 */
export async function applySnapshot({
  environmentId,
  data: { directoryId, snapshotId },
  progress,
}: Task<SnapshotWork>): Promise<string | undefined> {
  const snapshot = await findSnapshot(environmentId, directoryId, snapshotId);
  if (snapshot === undefined || !['pending', 'applying'].includes(snapshot.state)) return undefined;
  if ((await findOpenDirectory(snapshot)) === undefined) {
    const message = 'The directory was deleted or disabled, or another snapshot has replaced this one.';
    await change(snapshot, { state: 'failed', errors: [...snapshot.errors, { line: 0, message }] });
    return undefined;
  }
  const next =
    progress === undefined ? await begin(snapshot) : await proceed(snapshot, JSON.parse(progress) as Progress);
  if (next === undefined) parsed = undefined;
  return next && JSON.stringify(next);
}

/** Compares the snapshot with the directory. @returns undefined if nothing is to be applied */
async function begin(snapshot: SnapshotRecord): Promise<Progress | undefined> {
  const { rows, errors } = await readFile(snapshot);
  const directory = await findOpenDirectory(snapshot);
  if (errors.length > 0 || directory === undefined) {
    await change(snapshot, { state: 'failed', errors });
    return undefined;
  }
  const { difference, active } = await compare(directory, snapshot, rows);
  if (snapshot.isDryRun) {
    await change(snapshot, { state: 'completed', difference });
    return undefined;
  }
  if (difference.leavers * 100 > active * snapshot.maxLeaversPercent) {
    await change(snapshot, { state: 'rejected', difference });
    return undefined;
  }
  await activate(snapshot);
  await change(snapshot, { state: 'applying', difference });
  return { phase: 'users', at: 0, applied: 0, taken: [], errors: [] };
}

/** Applies the next users. @returns undefined after the last one */
async function proceed(snapshot: SnapshotRecord, progress: Progress): Promise<Progress | undefined> {
  if (progress.phase === 'leavers') {
    const after = await applyLeavers(snapshot, progress.after);
    if (after === undefined) await change(snapshot, { state: 'completed' });
    return after === undefined ? undefined : { phase: 'leavers', after };
  }
  const { rows } = await readFile(snapshot);
  const isRepeated = progress.phase === 'taken';
  const lines = new Set(progress.taken);
  const wanted = isRepeated ? rows.filter(({ line }) => lines.has(line)) : rows;
  const step = wanted.slice(progress.at, progress.at + STEP);
  const found = await applyRows(snapshot, step, listExternalIds(rows));
  // A user name that passes from one user to another is free after the other one was changed.
  const conflicts = isRepeated ? found.taken.map((line) => ({ line, message: NAME_TAKEN })) : [];
  const errors = [...progress.errors, ...found.errors, ...conflicts].slice(0, MAX_ERRORS);
  const applied = progress.applied + step.length - found.taken.length - found.errors.length;
  await change(snapshot, { applied, errors });
  const at = progress.at + step.length;
  const taken = isRepeated ? progress.taken : [...progress.taken, ...found.taken].slice(0, MAX_TAKEN);
  if (at < wanted.length) return { ...progress, at, applied, taken, errors };
  return isRepeated || taken.length === 0 ? { phase: 'leavers' } : { phase: 'taken', at: 0, applied, taken, errors };
}
