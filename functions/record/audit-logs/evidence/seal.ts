import { HOUR_MS } from '../../../kernel/durations.ts';
import { systemActor } from '../../../kernel/authentication/caller.ts';
import { putBlob } from '../../../kernel/blobs/store.ts';
import { clock } from '../../../kernel/clock.ts';
import { evidenceSigner } from '../../../kernel/keys/signer.ts';
import { withLease } from '../../../kernel/limits/lease.ts';
import { log } from '../../../kernel/log.ts';
import { count } from '../../../kernel/metrics.ts';
import { backOff, TRIES } from '../../../kernel/storage/background.ts';
import { dueOn } from '../../../kernel/storage/due.ts';
import { StorageUnavailable } from '../../../kernel/storage/faults.ts';
import { Unit } from '../../../kernel/storage/unit.ts';
import { readRows } from '../event/store.ts';
import { reopen } from '../stream/deliver.ts';
import { effectiveDays } from '../retention/rules.ts';
import { type IntervalRecord, intervals, readIntervals, type TrailRecord, trails } from './entity.ts';
import { GRACE_MS, SETTLE_MS, computeSpan } from './intervals.ts';
import { MerkleTree } from './merkle.ts';
import { type EvidenceRow, hashLeaf } from './row.ts';
import { readSegment, rootKey, segmentKey, writeSegment } from './segment.ts';
import { hashOfText, type SealStatement } from './statement.ts';
import { newTrail } from './trail.ts';

/** Lease time in seconds, longer than the maximum run of the worker. */
const LEASE_SECONDS = 900;

/**
 * Seals the hours of an organization that have ended, oldest first, and checks those of the day before a second time. The
 * hours of one organization are sealed one at a time, since each seal names the previous one; organizations are processed
 * in parallel.
 * @param from the oldest hour that may be due
 */
export async function sealOrganization(environmentId: string, organizationId: string, from: string): Promise<void> {
  const done = await withLease(environmentId, `audit-seal#${organizationId}`, { seconds: LEASE_SECONDS }, async () => {
    for await (const interval of readIntervals(environmentId, organizationId, from)) {
      const { end } = computeSpan(interval.id);
      if (interval.state === 'open' && end + GRACE_MS <= clock.now()) {
        await sealInterval(interval, readRows({ environmentId, organizationId, hour: interval.id }));
      } else if (interval.state === 'sealed' && interval.isSettled !== true && end + SETTLE_MS <= clock.now()) {
        await settleInterval(interval);
      }
    }
  });
  if (done.kind === 'busy') log.info('an audit trail is being sealed by another', { organization_id: organizationId });
}

/** Facts about the rows that sealing collects while it reads them. */
class Passage {
  readonly tree = new MerkleTree();
  from = '';
  to = '';

  /** Yields the rows unchanged and collects the facts for the seal. */
  async *of(organizationId: string, rows: AsyncIterable<EvidenceRow>): AsyncGenerator<EvidenceRow> {
    for await (const row of rows) {
      this.tree.append(hashLeaf(organizationId, row));
      if (this.from === '' || row.occurredAt < this.from) this.from = row.occurredAt;
      if (row.occurredAt > this.to) this.to = row.occurredAt;
      yield row;
    }
  }
}

/** Seals an hour, or events of it that were found later. An hour without events has no seal. */
async function sealInterval(interval: IntervalRecord, rows: AsyncIterable<EvidenceRow>): Promise<void> {
  const { environmentId, organizationId } = interval;
  const trail = await findTrail(environmentId, organizationId);
  const segment = trail.segment + 1;
  const passage = new Passage();
  await writeSegment(segmentKey(environmentId, organizationId, segment), passage.of(organizationId, rows));
  if (passage.tree.size === 0) {
    await commit(environmentId, (unit) => unit.stage(intervals.remove(interval)));
    return;
  }
  const statement = JSON.stringify({
    format: 'gatehouse-audit-seal/1',
    environment_id: environmentId,
    organization_id: organizationId,
    segment,
    interval: interval.id,
    size: passage.tree.size,
    root: passage.tree.root().toString('hex'),
    occurred_from: passage.from,
    occurred_to: passage.to,
    previous: trail.sealHash ?? null,
    sealed_at: clock.timestamp(),
  } satisfies SealStatement);
  const signature = Buffer.from(await evidenceSigner().sign(statement)).toString('base64');
  await putBlob(
    'audit-roots',
    rootKey(environmentId, organizationId, segment),
    JSON.stringify({ statement, signature }),
    {
      contentType: 'application/json',
      lockedUntil: new Date(clock.now() + effectiveDays(trail) * 24 * HOUR_MS),
    },
  );
  const sealed = {
    state: 'sealed' as const,
    segment,
    size: passage.tree.size,
    occurredFrom: passage.from,
    occurredTo: passage.to,
    statement,
    signature,
    ...secondLook(interval),
  };
  await commit(environmentId, (unit) => {
    unit.stage([
      intervals.revise(interval, sealed).write,
      trails.revise(trail, { segment, sealHash: hashOfText(statement) }).write,
    ]);
  });
  count({ auditEventsSealed: { value: passage.tree.size, unit: 'Count' } });
}

/** Schedules the second check of an hour. Events that were found later are not checked again. */
function secondLook({ id, organizationId }: IntervalRecord) {
  if (id.includes('+')) return { isSettled: true, dueShard: undefined, dueAt: undefined };
  return dueOn(`${organizationId}${id}`, computeSpan(id).end + SETTLE_MS);
}

/** Checks an hour again: events that the index showed only after it was sealed get their own segment. */
async function settleInterval(interval: IntervalRecord): Promise<void> {
  const { environmentId, organizationId, id } = interval;
  const late = await isAnyLate(interval);
  if (late) {
    const lateId = `${id}+1`;
    const { record, write } = intervals.create({ environmentId, organizationId, id: lateId, state: 'open' });
    await commit(environmentId, (unit) => unit.stage(write));
    await sealInterval(record, lateRows(interval));
    await reopen(environmentId, organizationId, lateId);
    log.warn('events came to light after their hour was sealed', { organization_id: organizationId, interval: lateId });
  }
  await commit(environmentId, (unit) =>
    unit.stage(intervals.revise(interval, { isSettled: true, dueShard: undefined, dueAt: undefined }).write),
  );
}

async function isAnyLate(interval: IntervalRecord): Promise<boolean> {
  for await (const _row of lateRows(interval)) return true;
  return false;
}

/** Rows of an hour that its segment does not contain, found by merging both, which are sorted by id. */
async function* lateRows({
  environmentId,
  organizationId,
  id,
  segment = 0,
}: IntervalRecord): AsyncGenerator<EvidenceRow> {
  const sealed = readSegment(segmentKey(environmentId, organizationId, segment));
  let known = await sealed.next();
  for await (const row of readRows({ environmentId, organizationId, hour: id })) {
    while (known.done !== true && known.value.id < row.id) known = await sealed.next();
    if (known.done === true || known.value.id !== row.id) yield row;
  }
}

/** Reads an organization's trail; the first seal of an organization creates it. */
async function findTrail(environmentId: string, organizationId: string): Promise<TrailRecord> {
  const known = await trails.get(environmentId, organizationId);
  if (known !== undefined) return known;
  const { record, write } = newTrail(environmentId, organizationId);
  await commit(environmentId, (unit) => unit.stage(write));
  return record;
}

/**
 * Commits changes to records that were read under a lease.
 * @throws StorageUnavailable if they were changed in spite of the lease: the next attempt reads everything again
 */
async function commit(environmentId: string, stage: (unit: Unit) => void): Promise<void> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    await backOff(attempt);
    const unit = new Unit(environmentId, systemActor);
    stage(unit);
    // The same writes are tried once more under the same conditions, because an unrelated concurrent transaction may have
    // cancelled them.
    if ((await unit.commit()).kind === 'committed') return;
  }
  throw new StorageUnavailable('An audit trail was changed by another process during the sealing');
}
