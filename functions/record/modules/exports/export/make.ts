import { LIST_GRANT_SECONDS, removeGrant } from '../../../../kernel/authentication/grant.ts';
import { permissionIn } from '../../../../kernel/authentication/operator-permission.ts';
import type { Actor } from '../../../../kernel/authentication/caller.ts';
import { BlobUpload, deleteBlobsBelow } from '../../../../kernel/blobs/store.ts';
import { clock } from '../../../../kernel/clock.ts';
import { DAY_MS } from '../../../../kernel/durations.ts';
import { stageLineOfStage } from '../../../../kernel/http/operators-log.ts';
import { envelopes } from '../../../../kernel/keys/shared.ts';
import { addLogContext, log } from '../../../../kernel/log.ts';
import { applyWork } from '../../../../kernel/storage/background.ts';
import { dueOn } from '../../../../kernel/storage/due.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import type { Task } from '../../../../kernel/storage/work.ts';
import { findOperatorPermissions } from '../../../../faces/console/public.ts';
import { fileKey, grantScope, type ListExportRecord, listExports } from './entity.ts';
import { type Filter, type ListName, LISTS } from './lists.ts';
import { ExportFailure, readList } from './read.ts';
import { computeState, describeExport, presentEvent } from './schema.ts';
import { CONTENT_TYPES, type Written, writeLines } from './write.ts';

/** Milliseconds for which a file can be downloaded. */
const LIFETIME_MS = DAY_MS;
/** Milliseconds that one export may take: a step of background work has five minutes. */
const RUN_MS = 270_000;

const NOT_FINISHED = 'The export was not finished within the hour in which it may read its list. Make a new one.';
const TOO_SLOW = 'Reading the list took too long. Make a new export, with a filter that selects fewer records.';

/** Makes the file of an export. It may run again: a file that was begun is replaced. */
export async function makeListExport({ environmentId, data: { id } }: Task<{ id: string }>): Promise<undefined> {
  addLogContext({ environment_id: environmentId, export_id: id });
  const record = await listExports.get(environmentId, id);
  if (record?.state !== 'pending') return;
  try {
    // After the hour the API would reject the grant, as if the operator might not read the list any more.
    if (isOver(record)) throw new ExportFailure(NOT_FINISHED);
    const state = await finish(record, 'ready', await writeFile(record));
    // The schedule may have failed it in the meantime.
    if (state !== 'ready') await deleteBlobsBelow('audit', fileKey(record));
  } catch (error) {
    if (!(error instanceof ExportFailure)) throw error;
    log.warn('an export failed', { error });
    // A run that was cut off after its upload may have left a file.
    await deleteBlobsBelow('audit', fileKey(record));
    await finish(record, 'failed', { failure: isOver(record) ? NOT_FINISHED : error.message });
  }
}

/** Reports whether the grant of an export has expired. */
const isOver = ({ createdAt }: ListExportRecord): boolean =>
  clock.now() >= Date.parse(createdAt) + LIST_GRANT_SECONDS * 1_000;

/** Marks an unfinished export as failed, or an expired one as expired, and deletes its file. It can be called again. */
export async function endListExport(environmentId: string, id: string): Promise<void> {
  const record = await listExports.get(environmentId, id);
  if (record === undefined) return;
  const state = record.state === 'pending' ? await finish(record, 'failed', { failure: NOT_FINISHED }) : record.state;
  // A run may have finished it after the schedule had found it.
  if (state === 'ready' && computeState({ ...record, state }, clock.timestamp()) === 'ready') return;
  await deleteBlobsBelow('audit', fileKey(record));
  if (state === 'failed') return;
  await applyWork(environmentId, actorOf(record), async (unit) => {
    const found = await listExports.get(environmentId, id);
    if (found === undefined) return;
    unit.stage(listExports.revise(found, { state: 'expired', dueAt: undefined, dueShard: undefined }).write);
  });
}

const actorOf = ({ operatorId: id, operatorName: name }: ListExportRecord): Actor => ({
  id,
  source: 'dashboard',
  name,
});

async function writeFile(record: ListExportRecord): Promise<Written> {
  const { environmentId, id, format, operatorId } = record;
  const list = record.list as ListName;
  const { columns, permission } = LISTS[list];
  const token = await envelopes().openText(grantScope(environmentId), id, record.sealedGrant as Uint8Array);
  const required = permissionIn(environmentId, permission);
  const isAllowed = async (): Promise<boolean> =>
    required !== 'never' && (await findOperatorPermissions(operatorId, environmentId)).has(required);
  const upload = new BlobUpload('audit', fileKey(record), CONTENT_TYPES[format]);
  const pages = inTime(readList({ list, filter: record.filter as Filter, token, isAllowed }));
  try {
    const written = await writeLines({ pages, format, columns, write: (bytes) => upload.write(bytes) });
    await upload.finish();
    return written;
  } catch (error) {
    await upload.abort();
    throw error;
  }
}

/** The pages of a list until the time for one export is over. @throws ExportFailure then */
async function* inTime<Page>(pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  const startedAt = performance.now();
  for await (const page of pages) {
    if (performance.now() - startedAt > RUN_MS) throw new ExportFailure(TOO_SLOW);
    yield page;
  }
}

/**
 * Stores the end of an export once, with its event and its line in the operators' log, and removes its grant.
 * @returns its state afterwards, which another run may have stored; undefined if it does not exist
 */
async function finish(
  { environmentId, id }: ListExportRecord,
  state: 'ready' | 'failed',
  result: Partial<Written> & { failure?: string },
): Promise<ListExportRecord['state'] | undefined> {
  const found = await listExports.get(environmentId, id);
  if (found === undefined) return undefined;
  return applyWork(environmentId, actorOf(found), async (unit) => {
    const record = await listExports.get(environmentId, id);
    if (record?.state !== 'pending') return record?.state;
    stageEnd(unit, record, state, result);
    return state;
  });
}

function stageEnd(
  unit: Unit,
  former: ListExportRecord,
  state: 'ready' | 'failed',
  result: Partial<Written> & { failure?: string },
): void {
  const { environmentId, id, grantHash } = former;
  const lifetime = {
    endsAt: new Date(clock.now() + LIFETIME_MS).toISOString(),
    ...dueOn(id, clock.now() + LIFETIME_MS),
  };
  const { record, write } = listExports.revise(former, {
    ...result,
    state,
    grantHash: undefined,
    sealedGrant: undefined,
    ...(state === 'ready' ? lifetime : { dueAt: undefined, dueShard: undefined }),
  });
  unit.stage(write);
  if (grantHash !== undefined) unit.stage(removeGrant(environmentId, grantHash));
  unit.emit(state === 'ready' ? 'resource_export.completed' : 'resource_export.failed', presentEvent(record));
  const { failure, rows } = result;
  stageLineOfStage(unit, {
    action: 'resource_exports.finish',
    actor: { id: record.operatorId, name: record.operatorName },
    environmentId,
    targets: [{ id, type: 'resource_export' }],
    outcome: state === 'ready' ? 'done' : 'failed',
    details: {
      ...describeExport(record),
      ...(rows !== undefined && { rows: String(rows) }),
      ...(failure !== undefined && { failure }),
    },
  });
}
