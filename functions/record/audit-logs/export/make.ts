import { setTimeout as delay } from 'node:timers/promises';

import { awaitAll } from '../../../kernel/concurrency.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import { systemActor } from '../../../kernel/authentication/caller.ts';
import { BlobUpload, deleteBlobsBelow } from '../../../kernel/blobs/store.ts';
import { clock } from '../../../kernel/clock.ts';
import { evidenceSigner } from '../../../kernel/keys/signer.ts';
import { withLease } from '../../../kernel/limits/lease.ts';
import { addLogContext, log } from '../../../kernel/log.ts';
import { count } from '../../../kernel/metrics.ts';
import { enqueue } from '../../../kernel/queues.ts';
import { settings } from '../../../kernel/settings.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { dueOn } from '../../../kernel/storage/due.ts';
import { hashOfText } from '../evidence/statement.ts';
import type { Work } from '../work.ts';
import { type Composed, composeExport } from './compose.ts';
import { exportKey, type ExportRecord, exports, proofKey } from './entity.ts';
import { type ExportFilter, isFiltered, rowFilter } from './filter.ts';
import { readPortions } from './portions.ts';

/** Lease time in seconds, longer than the maximum run of the worker. */
const LEASE_SECONDS = 900;
/** Attempts before an export fails. */
const ATTEMPTS = 4;
/** Time in ms for which a completed export can be downloaded. */
const LIFETIME_MS = 7 * DAY_MS;

/**
 * Makes an export: its CSV and its proof, written while the rows are read, and then its row is updated. A failed attempt is
 * repeated some seconds later; after the fourth its state is `error`.
 */
export async function makeExport(environmentId: string, id: string): Promise<void> {
  addLogContext({ environment_id: environmentId, export_id: id });
  await withLease(environmentId, `audit-export#${id}`, { seconds: LEASE_SECONDS }, async () => {
    const record = await exports.get(environmentId, id);
    if (record?.state !== 'pending') return;
    try {
      await settled(record);
      const { rows, findings } = await writeExport(record);
      if (findings.length > 0) log.error('an export contradicts the seals of its segments', { findings });
      await change(record, {
        state: 'ready',
        rows,
        endsAt: inMilliseconds(LIFETIME_MS),
        ...dueOn(id, clock.now() + LIFETIME_MS),
      });
      count({
        auditExportRows: { value: rows, unit: 'Count' },
        auditExportContradictions: { value: findings.length, unit: 'Count' },
      });
    } catch (error) {
      log.error('an export failed', { error, attempt: record.attempts + 1 });
      await failed(record);
    }
  });
}

/**
 * Waits until the index of open hours must show all events that were acknowledged before the export was requested, which is
 * as long as GET /events waits for recent events.
 */
async function settled({ createdAt }: ExportRecord): Promise<void> {
  const left = Date.parse(createdAt) + settings().GATEHOUSE_EVENT_HORIZON_MS - clock.now();
  if (left > 0) await delay(left);
}

const inMilliseconds = (milliseconds: number): string => new Date(clock.now() + milliseconds).toISOString();

async function failed(record: ExportRecord): Promise<void> {
  const attempts = record.attempts + 1;
  if (attempts >= ATTEMPTS) {
    await change(record, { state: 'error', attempts, dueShard: undefined, dueAt: undefined });
    return;
  }
  await change(record, { attempts });
  const work: Work = { kind: 'export', environment_id: record.environmentId, id: record.id };
  await enqueue('audit-logs', [{ body: work, delaySeconds: 5 * 2 ** attempts, group: record.organizationId }]);
}

async function writeExport(record: ExportRecord): Promise<Composed> {
  const { environmentId, organizationId, id, rangeStart: start, rangeEnd: end } = record;
  const filter = record.filter as ExportFilter;
  const csv = new BlobUpload('audit', exportKey(record), 'text/csv; charset=utf-8');
  const proof = new BlobUpload('audit', proofKey(record), 'application/jsonl');
  const signer = evidenceSigner();
  try {
    const composed = await composeExport(
      {
        head: {
          export_id: id,
          environment_id: environmentId,
          organization_id: organizationId,
          exported_at: clock.timestamp(),
          range_start: start,
          range_end: end,
          filters_sha256: isFiltered(filter) ? hashOfText(JSON.stringify(wireFilter(filter))) : null,
        },
        portions: readPortions({ environmentId, organizationId, start, end }),
        isWanted: rowFilter({ start, end }, filter),
        publicKey: await signer.publicKey(),
        sign: async (statement) => Buffer.from(await signer.sign(statement)).toString('base64'),
      },
      { csv: (bytes) => csv.write(bytes), proof: (bytes) => proof.write(bytes) },
    );
    await awaitAll([csv.finish(), proof.finish()]);
    return composed;
  } catch (error) {
    await awaitAll([csv.abort(), proof.abort()]);
    throw error;
  }
}

const wireFilter = ({ actions, actorNames, actorIds, targets }: ExportFilter): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries({ actions, actor_names: actorNames, actor_ids: actorIds, targets }).flatMap(([name, list]) =>
      list === undefined ? [] : [[name, [...list]]],
    ),
  );

type Changes = Parameters<typeof exports.revise>[1];

async function change({ environmentId, id }: ExportRecord, changes: Changes): Promise<void> {
  await applyWork(environmentId, systemActor, async (unit) => {
    const record = await exports.get(environmentId, id);
    if (record !== undefined) unit.stage(exports.revise(record, changes).write);
  });
}

/** Expires an export: its files are deleted. */
export async function endExport(record: ExportRecord): Promise<void> {
  await deleteBlobsBelow('audit', exportKey(record));
  await change(record, { state: 'expired', dueShard: undefined, dueAt: undefined });
}
