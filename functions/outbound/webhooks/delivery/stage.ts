import { clock } from '../../../kernel/clock.ts';
import { outgoing } from '../../../kernel/storage/outbox.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { type DeliveryRecord, reviseDelivery } from './entity.ts';
import { orderOf } from './order.ts';
import { withResend } from './rules.ts';

/** Stages that a delivery in any state is sent again at once, with a new schedule of retries. @returns it as it will be */
export function stageResend(
  unit: Pick<Unit, 'stage'>,
  delivery: DeliveryRecord,
  { isRequested = false }: { isRequested?: boolean } = {},
): DeliveryRecord {
  const now = clock.timestamp();
  const complete = { since: delivery.updatedAt, attempt: delivery.attemptCount + 1 };
  const { record, write } = reviseDelivery(delivery, {
    state: 'pending',
    failures: 0,
    waits: withResend(delivery.waits ?? [], complete, now),
    dropReason: undefined,
    nextAttemptAt: now,
    // The outbox sends the message and cannot lose it, so the scheduled worker does not need to find it.
    dueAt: undefined,
  });
  unit.stage([
    write,
    outgoing(delivery.environmentId, 'deliveries', {
      ...orderOf(record),
      ...(isRequested && { is_requested: true }),
    }),
  ]);
  return record;
}
