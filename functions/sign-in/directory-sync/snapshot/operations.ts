import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { declareError, notFound, orFail } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { listIds } from '../../../kernel/storage/window.ts';
import { directoryNotFound } from '../directory/errors.ts';
import { directories, type DirectoryRecord, findDirectory } from '../directory/entity.ts';
import { directoryUsers } from '../user/entity.ts';
import { writePart } from './content.ts';
import { findSnapshot, leaverRows, type SnapshotRecord, snapshots } from './entity.ts';
import {
  CreateSnapshot,
  DirectorySnapshot,
  LeaverList,
  ListLeavers,
  ListSnapshots,
  presentLeaver,
  presentSnapshot,
  SnapshotList,
  SnapshotPart,
} from './schema.ts';
import { snapshotWork } from './work.ts';

/** Time in seconds for which a snapshot is kept. */
const LIFETIME_SECONDS = 7 * 86_400;
/** Time in ms without progress after which another snapshot may replace one that has not ended. */
const STALLED_MS = 3_600_000;

const snapshotNotFound = notFound('directory snapshot');

const directoryDisabled = declareError({
  status: 409,
  code: 'directory_unlinked',
  message: 'The directory is disabled. Enable it first.',
});

const directoryHasTokens = declareError({
  status: 409,
  code: 'directory_synced_by_scim',
  message: 'The directory has tokens for SCIM, which would undo what a snapshot does. Revoke them first.',
});

const snapshotInProgress = declareError({
  status: 409,
  code: 'snapshot_in_progress',
  message: 'Another snapshot of the directory is in progress. Wait until it has ended.',
});

const snapshotClosed = declareError({
  status: 409,
  code: 'snapshot_closed',
  message: 'The snapshot accepts no more parts: it has all of them, or another one has replaced it. Create a new one.',
});

/** Rejects a directory that has another snapshot in progress. */
async function isBusy({ environmentId, id, snapshotId }: DirectoryRecord): Promise<boolean> {
  const current = snapshotId === undefined ? undefined : await findSnapshot(environmentId, id, snapshotId);
  if (current === undefined || !['pending', 'applying'].includes(current.state)) return false;
  return Date.parse(current.updatedAt) > clock.now() - STALLED_MS;
}

/** A snapshot with a further part, and its work once it has all parts. */
function receivePart(unit: Pick<Unit, 'stage'>, former: SnapshotRecord, part: number, text: string): SnapshotRecord {
  const { writes, rows } = writePart(former, part, text);
  const received = { ...former.received, [part]: rows };
  const isWhole = Object.keys(received).length === former.parts;
  const { record, write } = snapshots.revise(former, { received, state: isWhole ? 'pending' : 'uploading' });
  unit.stage([...writes, write]);
  const { environmentId, id: snapshotId, directoryId, owner } = former;
  if (isWhole) snapshotWork.stage(unit, environmentId, { directoryId, snapshotId }, owner);
  return record;
}

const createSnapshot = operation({
  id: 'directory_snapshots.create',
  method: 'POST',
  path: '/x/directories/{id}/snapshots',
  summary: 'Synchronize a directory with a snapshot of all its users',
  description:
    'Updates a directory that has no SCIM client. A worker compares the users with those of the directory, and applies the difference: users that the snapshot does not have (the leavers) become inactive. With `dry_run` it changes nothing; read the difference and the leavers.',
  auth: apiKey,
  operator: 'config.change',
  body: CreateSnapshot,
  responses: { 201: DirectorySnapshot },
  errors: [directoryNotFound, directoryDisabled, directoryHasTokens, snapshotInProgress],
  emits: [],
  idempotency: 'replay',
  async handle({ environmentId, params, body, unit, fail }) {
    const directory = await orFail(findDirectory(environmentId, params.id), () => fail(directoryNotFound));
    if (directory.state === 'inactive') throw fail(directoryDisabled);
    if (directory.tokens.length > 0) throw fail(directoryHasTokens);
    if (await isBusy(directory)) throw fail(snapshotInProgress);
    const { organizationId, id: directoryId } = directory;
    const id = newId('directory_snapshot');
    const creation = snapshots.create({
      environmentId,
      id,
      directoryId,
      organizationId,
      owner: ownerKey('organization', organizationId),
      format: body.format,
      parts: body.parts,
      received: {},
      isDryRun: body.dry_run,
      maxLeaversPercent: body.max_leavers_percent,
      state: 'uploading',
      applied: 0,
      errors: [],
      expiresAt: clock.seconds() + LIFETIME_SECONDS,
    });
    unit.stage([creation.write, directories.revise(directory, { snapshotId: id }).write]);
    const made = creation.record as SnapshotRecord;
    const record = body.content === undefined ? made : receivePart(unit, made, 1, body.content);
    return { status: 201, body: presentSnapshot(record) };
  },
});

const putPart = operation({
  id: 'directory_snapshots.put_part',
  method: 'PUT',
  path: '/x/directories/{id}/snapshots/{snapshotId}/parts/{part}',
  summary: 'Upload a part of a snapshot',
  description:
    'The parts are joined in the order of their numbers, which begin with 1. Repeating a part replaces it. The work begins when all have arrived.',
  auth: apiKey,
  operator: 'config.change',
  body: SnapshotPart,
  responses: { 200: DirectorySnapshot },
  errors: [snapshotNotFound, snapshotClosed],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const [directory, snapshot] = await awaitAll([
      findDirectory(environmentId, params.id),
      findSnapshot(environmentId, params.id, params.snapshotId),
    ]);
    if (directory === undefined || snapshot === undefined) throw fail(snapshotNotFound);
    const part = /^[1-9]\d?$/.test(params.part) ? Number(params.part) : 0;
    if (part < 1 || part > snapshot.parts) {
      throw invalid([
        { field: 'part', code: 'invalid_value', message: `must be a number from 1 to ${snapshot.parts}` },
      ]);
    }
    if (snapshot.state !== 'uploading' || directory.snapshotId !== snapshot.id) throw fail(snapshotClosed);
    return { status: 200, body: presentSnapshot(receivePart(unit, snapshot, part, body.content)) };
  },
});

const isKept = ({ expiresAt = 0 }: { expiresAt?: number | undefined }): boolean => expiresAt > clock.seconds();

const listSnapshots = operation({
  id: 'directory_snapshots.list',
  method: 'GET',
  path: '/x/directories/{id}/snapshots',
  summary: 'List the snapshots of a directory',
  description: 'Snapshots are kept for seven days.',
  auth: apiKey,
  query: ListSnapshots,
  responses: { 200: SnapshotList },
  errors: [directoryNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params: { id: directoryId }, query, fail }) {
    if ((await findDirectory(environmentId, directoryId)) === undefined) throw fail(directoryNotFound);
    const page = await readPage(
      query,
      async (window) => {
        const { records, ...rest } = await snapshots.list('primary', { environmentId, directoryId }).toPage(window);
        return { records: (records as readonly SnapshotRecord[]).filter(isKept), ...rest };
      },
      presentSnapshot,
    );
    return { status: 200, body: page };
  },
});

const getSnapshot = operation({
  id: 'directory_snapshots.get',
  method: 'GET',
  path: '/x/directories/{id}/snapshots/{snapshotId}',
  summary: 'Get a snapshot of a directory',
  auth: apiKey,
  responses: { 200: DirectorySnapshot },
  errors: [snapshotNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const [directory, snapshot] = await awaitAll([
      findDirectory(environmentId, params.id),
      findSnapshot(environmentId, params.id, params.snapshotId),
    ]);
    if (directory === undefined || snapshot === undefined || !isKept(snapshot)) throw fail(snapshotNotFound);
    return { status: 200, body: presentSnapshot(snapshot) };
  },
});

const listLeavers = operation({
  id: 'directory_snapshots.list_leavers',
  method: 'GET',
  path: '/x/directories/{id}/snapshots/{snapshotId}/leavers',
  summary: 'List the leavers of a snapshot',
  description:
    'Lists the active users of the directory that the snapshot does not have, or has as inactive. A user that the directory no longer has is left out.',
  auth: apiKey,
  query: ListLeavers,
  responses: { 200: LeaverList },
  errors: [snapshotNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, fail }) {
    const [directory, snapshot] = await awaitAll([
      findDirectory(environmentId, params.id),
      findSnapshot(environmentId, params.id, params.snapshotId),
    ]);
    if (directory === undefined || snapshot === undefined || !isKept(snapshot)) throw fail(snapshotNotFound);
    const page = await readPage(
      query,
      async (window) => {
        const list = leaverRows.list('primary', { environmentId, snapshotId: snapshot.id });
        const { records: rows, ...rest } = await list.toPage(window);
        const users = await directoryUsers.getMany(environmentId, listIds(rows));
        const byId = new Map(users.map((user) => [user.id, user]));
        return { records: rows.map(({ id, losesAccess }) => ({ id, losesAccess, user: byId.get(id) })), ...rest };
      },
      ({ user, ...row }) => (user === undefined ? [] : [presentLeaver({ ...row, user })]),
    );
    return { status: 200, body: { ...page, data: page.data.flat() } };
  },
});

/** The operations on snapshots of directories. */
export const snapshotOperations = [createSnapshot, putPart, listSnapshots, getSnapshot, listLeavers] as const;
