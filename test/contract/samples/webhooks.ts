import { randomUUID } from 'node:crypto';

import { newId } from '../../../functions/kernel/ids.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import { createDelivery } from '../../../functions/webhooks/delivery/entity.ts';
import type { Api, AreaSamples } from './sample.ts';

const address = (): string => `https://hooks.acme.example/${randomUUID()}`;

const endpoint = async ({ create }: Api): Promise<Record<string, string>> => {
  const body = { endpoint_url: address(), events: ['organization.created'] };
  return { id: String((await create('/webhook_endpoints', body)).id) };
};

/** An endpoint with a failed delivery; the pipeline of deliveries does not run here. */
const delivery = async (api: Api): Promise<Record<string, string>> => {
  const { id: endpointId = '' } = await endpoint(api);
  const { environmentId } = api;
  const identity = { environmentId, endpointId, eventId: newId('event'), eventName: 'organization.created' };
  const { record, write } = createDelivery(identity, { state: 'failed', attempts: [], attemptCount: 0, failures: 0 });
  const unit = new Unit(environmentId, systemActor);
  unit.stage(write);
  await unit.commit();
  return { id: endpointId, delivery_id: record.id };
};

export const webhookSamples: AreaSamples = {
  params: {
    '/webhook_endpoints/{id}': endpoint,
    '/x/webhook_endpoints/{id}': endpoint,
    '/x/webhook_endpoints/{id}/rotate_secret': endpoint,
    '/x/webhook_endpoints/{id}/promote_secret': endpoint,
    '/x/webhook_endpoints/{id}/deliveries': endpoint,
    '/x/webhook_endpoints/{id}/deliveries/{delivery_id}': delivery,
    '/x/webhook_endpoints/{id}/deliveries/{delivery_id}/resend': delivery,
  },
  bodies: {
    'webhook_endpoints.create': async () => ({ endpoint_url: address(), events: ['organization.created'] }),
    'webhook_endpoints.update': async () => ({ endpoint_url: address() }),
  },
};
