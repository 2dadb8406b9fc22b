import { systemActor } from '../../kernel/authentication/caller.ts';
import { log } from '../../kernel/log.ts';
import { count } from '../../kernel/metrics.ts';
import { applyWork } from '../../kernel/storage/background.ts';
import { endpoints } from './entity.ts';

/** Disables an endpoint that asked for it by 410, or that has failed for days: shown by its status, a metric and the log. */
export async function disableEndpoint(
  environmentId: string,
  id: string,
  disabledReason: 'gone' | 'failing',
): Promise<void> {
  let isNews = false;
  await applyWork(environmentId, systemActor, async (unit) => {
    const record = await endpoints.get(environmentId, id);
    isNews = record?.status === 'enabled';
    if (record !== undefined && isNews) {
      unit.stage(endpoints.revise(record, { status: 'disabled', disabledReason }).write);
    }
  });
  if (!isNews) return;
  count({ endpointsDisabled: { value: 1, unit: 'Count' } });
  log.error('a webhook endpoint was disabled', { endpoint_id: id, reason: disabledReason });
}
