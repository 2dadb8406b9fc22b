import { HOUR_MS } from '../../../kernel/durations.ts';
import { systemActor } from '../../../kernel/authentication/caller.ts';
import { deleteBlobsBelow } from '../../../kernel/blobs/store.ts';
import { clock } from '../../../kernel/clock.ts';
import { log } from '../../../kernel/log.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { dueOn } from '../../../kernel/storage/due.ts';
import { findInterval, intervals, readIntervals, trails } from '../evidence/entity.ts';
import { segmentKey } from '../evidence/segment.ts';
import { effectiveDays, oldestKeptHour } from './rules.ts';

/**
 * Erases an organization's events that are past their retention: the segments with the events and their salts are deleted.
 * The signed roots stay, so that the remaining segments can still be verified. Rows of those hours have expired by then,
 * since they are kept for at most 30 days.
 */
export async function enforceRetention(environmentId: string, organizationId: string): Promise<void> {
  const trail = await trails.get(environmentId, organizationId);
  if (trail === undefined) return;
  const oldest = oldestKeptHour(clock.now(), effectiveDays(trail));
  let erased = 0;
  for await (const { id, state, segment } of readIntervals(environmentId, organizationId)) {
    if (id.slice(0, 13) >= oldest) break;
    if (state !== 'sealed' || segment === undefined) continue;
    await deleteBlobsBelow('audit', segmentKey(environmentId, organizationId, segment));
    await applyWork(environmentId, systemActor, async (unit) => {
      const interval = await findInterval(environmentId, organizationId, id);
      if (interval?.state === 'sealed') unit.stage(intervals.revise(interval, { state: 'erased' }).write);
    });
    erased += 1;
  }
  if (erased > 0)
    log.info('audit log segments past their retention erased', { organization_id: organizationId, erased });
  await applyWork(environmentId, systemActor, async (unit) => {
    const current = await trails.get(environmentId, organizationId);
    if (current !== undefined) {
      unit.stage(trails.revise(current, dueOn(organizationId, clock.now() + 24 * HOUR_MS)).write);
    }
  });
}
