import { systemActor } from '../../../kernel/authentication/caller.ts';
import type { Write } from '../../../kernel/storage/write.ts';
import { log } from '../../../kernel/log.ts';
import { composeMessage } from '../../../kernel/messages/compose.ts';
import { webhookEndpointDisabled } from '../../../kernel/messages/templates/webhook-endpoint-disabled.ts';
import { count } from '../../../kernel/metrics.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { environments } from '../../../kernel/storage/environment.ts';
import { type EndpointRecord, endpoints } from './entity.ts';
import { changeEndpoints, findForChange } from './set.ts';

type Reason = 'gone' | 'failing';

/**
 * Disables an endpoint that responded with 410, or that has failed for days. The status, a metric, the log, and a mail
 * to the environment's contact (if it has one) report this.
 */
export async function disableEndpoint(environmentId: string, id: string, disabledReason: Reason): Promise<void> {
  let isNews = false;
  await applyWork(environmentId, systemActor, async (unit) => {
    const found = await findForChange(environmentId, id);
    isNews = found?.former.status === 'enabled';
    if (found !== undefined && isNews) {
      const { write } = endpoints.revise(found.former, { status: 'disabled', disabledReason });
      unit.stage(changeEndpoints(environmentId, found.version, write));
      unit.stage(await composeNotice(found.former, disabledReason));
    }
  });
  if (!isNews) return;
  count({ endpointsDisabled: { value: 1, unit: 'Count' } });
  log.error('a webhook endpoint was disabled', { endpoint_id: id, reason: disabledReason });
}

/** Stages the mail to the environment's contact; it stages nothing if there is no contact. */
async function composeNotice({ environmentId, id, url }: EndpointRecord, reason: Reason): Promise<Write[]> {
  const environment = await environments.get(environmentId, environmentId);
  if (environment?.contactEmail === undefined) return [];
  const message = await composeMessage({
    environmentId,
    channel: 'email',
    to: environment.contactEmail,
    template: webhookEndpointDisabled,
    values: { environmentName: environment.name, endpointId: id, endpointUrl: url, reason },
  });
  return [message];
}
