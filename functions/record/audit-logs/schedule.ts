import { systemActor } from '../../kernel/authentication/caller.ts';
import { clock } from '../../kernel/clock.ts';
import { awaitAll } from '../../kernel/concurrency.ts';
import { enqueue } from '../../kernel/queues.ts';
import { dueOn } from '../../kernel/storage/due.ts';
import { Unit } from '../../kernel/storage/unit.ts';
import type { Write } from '../../kernel/storage/write.ts';
import { dueListExports, postponeListExport } from '../modules/exports/public.ts';
import { dueIntervals, dueTrails, intervals, trails } from './evidence/entity.ts';
import { dueExports, exports } from './export/entity.ts';
import { dueStreams, streams } from './stream/entity.ts';
import type { DueWork } from './work.ts';

/** Maximum rows read from each shard of a due index in one run. */
const LIMIT = 100;
/** Time in ms after which enqueued work is due again, in case its message was lost. */
const LEASE_MS = 20 * 60_000;

/** Enqueues the work that is due: hours to seal, unfinished exports, expiring exports, retention, streams. */
export async function enqueueDueWork(): Promise<void> {
  const [hours, pending, listed, kept, waiting] = await awaitAll([
    dueIntervals(LIMIT),
    dueExports(LIMIT),
    dueListExports(LIMIT),
    dueTrails(LIMIT),
    dueStreams(LIMIT),
  ]);
  const lease = (id: string) => dueOn(id, clock.now() + LEASE_MS);
  await handOut(
    hours.map((interval) => ({
      work: seal(interval),
      // One message is enqueued for each organization, regardless of the number of its hours.
      key: interval.organizationId,
      write: intervals.revise(interval, lease(`${interval.organizationId}${interval.id}`)).write,
    })),
  );
  await handOut([
    ...pending.map((record) => {
      const { environmentId: environment_id, id, state } = record;
      const kind = state === 'pending' ? ('export' as const) : ('end-export' as const);
      return { work: { kind, environment_id, id }, key: id, write: exports.revise(record, lease(id)).write };
    }),
    ...listed.map((record) => {
      const { environmentId: environment_id, id } = record;
      const work = { kind: 'end-list-export' as const, environment_id, id };
      return { work, key: id, write: postponeListExport(record, lease(id)) };
    }),
    ...kept.map((trail) => {
      const { environmentId: environment_id, id: organization_id } = trail;
      const work = { kind: 'retain' as const, environment_id, organization_id };
      return { work, key: organization_id, write: trails.revise(trail, lease(trail.id)).write };
    }),
    ...waiting.map((stream) => {
      const { environmentId: environment_id, organizationId: organization_id } = stream;
      const work = { kind: 'stream' as const, environment_id, organization_id };
      return { work, key: organization_id, write: streams.revise(stream, lease(stream.id)).write };
    }),
  ]);
}

const seal = ({
  environmentId,
  organizationId,
  id,
}: {
  environmentId: string;
  organizationId: string;
  id: string;
}): DueWork => ({
  kind: 'seal',
  environment_id: environmentId,
  organization_id: organizationId,
  from: id.slice(0, 13),
});

interface Order {
  work: DueWork;
  key: string;
  write: Write;
}

/**
 * Claims each piece of work by a conditional write, and enqueues it if the write succeeded: once for each kind and key.
 */
async function handOut(orders: readonly Order[]): Promise<void> {
  const taken = new Map<string, Order>();
  for (const order of orders) {
    const unit = new Unit(order.work.environment_id, systemActor);
    unit.stage(order.write);
    if ((await unit.commit()).kind !== 'committed') continue;
    const key = JSON.stringify([order.work.environment_id, order.work.kind, order.key]);
    const former = taken.get(key)?.work;
    const isEarlier = former?.kind === 'seal' && order.work.kind === 'seal' && order.work.from >= former.from;
    if (!isEarlier) taken.set(key, order);
  }
  await enqueue(
    'audit-logs',
    [...taken.values()].map(({ work, key }) => ({ body: work, group: key })),
  );
}
