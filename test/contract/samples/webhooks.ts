import { randomUUID } from 'node:crypto';

import {
  actionEndpointOwner,
  actionEndpoints,
  actionSecrets,
} from '../../../functions/outbound/modules/actions/endpoint/entity.ts';
import { actionSettings } from '../../../functions/outbound/modules/actions/settings.ts';
import { stageSettings } from '../../../functions/kernel/environment-settings.ts';
import { composeEvent } from '../../../functions/kernel/events/compose.ts';
import { newSigningSecret } from '../../../functions/kernel/keys/signing-secrets.ts';
import { newId } from '../../../functions/kernel/ids.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import { createDelivery } from '../../../functions/outbound/webhooks/delivery/entity.ts';
import type { Api, AreaSamples } from './sample.ts';

const address = (): string => `https://hooks.acme.example/${randomUUID()}`;

const endpoint = async ({ create }: Api): Promise<Record<string, string>> => {
  const body = { endpoint_url: address(), events: ['organization.created'] };
  return { id: String((await create('/webhook_endpoints', body)).id) };
};

/** An event of an environment, as a row; the relay does not run here. */
const event = async ({ environmentId }: Api): Promise<Record<string, string>> => {
  const data = { id: newId('org') };
  const write = composeEvent({ environmentId, actor: systemActor, name: 'organization.created', data });
  const unit = new Unit(environmentId, systemActor);
  unit.stage(write);
  await unit.commit();
  return { id: String(write.params.Item?.id) };
};

/** An endpoint with a failed delivery; the pipeline of deliveries does not run here. */
const delivery = async (api: Api): Promise<Record<string, string>> => {
  const { id: endpointId = '' } = await endpoint(api);
  const { environmentId } = api;
  const identity = {
    environmentId,
    endpointId,
    eventId: (await event(api)).id ?? '',
    eventName: 'organization.created',
  };
  const { record, write } = createDelivery(identity, { state: 'failed', attempts: [], attemptCount: 0, failures: 0 });
  const unit = new Unit(environmentId, systemActor);
  unit.stage(write);
  await unit.commit();
  return { id: endpointId, delivery_id: record.id };
};

/** An action endpoint as a row that the settings do not name, since an environment has only one of each type. */
const actionEndpoint = async ({ environmentId }: Api): Promise<Record<string, string>> => {
  const id = newId('action_endpoint');
  const { write } = actionEndpoints.create({
    environmentId,
    id,
    owner: actionEndpointOwner,
    type: 'authentication',
    url: address(),
    status: 'enabled',
    onFailure: 'deny',
    timeoutMs: 500,
    secret: await actionSecrets.seal(environmentId, id, newSigningSecret()),
  });
  const unit = new Unit(environmentId, systemActor);
  unit.stage(write);
  await unit.commit();
  return { id };
};

/** The body of a new action endpoint, after the settings have lost the former one of its type. */
const newActionEndpoint = async ({ environmentId }: Api) => {
  const unit = new Unit(environmentId, systemActor);
  await stageSettings(unit, environmentId, actionSettings, () => ({}));
  await unit.commit();
  return { type: 'authentication', endpoint_url: address() };
};

export const webhookSamples: AreaSamples = {
  params: {
    '/webhook_endpoints/{id}': endpoint,
    '/x/webhook_endpoints/{id}/deliveries/{delivery_id}': delivery,
    '/x/events/{id}/deliveries': event,
    '/x/actions/endpoints/{id}': actionEndpoint,
  },
  bodies: {
    'action_endpoints.create': newActionEndpoint,
    'action_endpoints.update': async () => ({ endpoint_url: address() }),
    'webhook_deliveries.resend_failed': async () => ({ from: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z' }),
    'webhook_endpoints.create': async () => ({ endpoint_url: address(), events: ['organization.created'] }),
    'webhook_endpoints.update': async () => ({ endpoint_url: address() }),
  },
};
