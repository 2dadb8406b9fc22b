import * as z from 'zod';

import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { describeUrlProblem, invalidUrl } from '../../../kernel/egress/shared.ts';
import { orFail } from '../../../kernel/errors.ts';
import { newSigningSecret } from '../../../kernel/keys/signing-secrets.ts';
import { newId } from '../../../kernel/ids.ts';
import { listOperation } from '../../../kernel/list-operation.ts';
import { operation } from '../../../kernel/operation.ts';
import { pageMembers } from '../../../kernel/pagination.ts';
import { claim, release } from '../../../kernel/storage/unique.ts';
import {
  endpointOwner,
  type EndpointRecord,
  endpoints,
  endpointSecrets,
  findEndpoints,
  listEndpoints,
  makeUrl,
  MAX_ENDPOINTS,
} from './entity.ts';
import { duplicateEndpoint, endpointNotFound, tooManyEndpoints } from './errors.ts';
import { getWebhookEndpoint } from './extension-operations.ts';
import { changeEndpoints, findForChange, readEndpointsVersion } from './set.ts';
import { CreateEndpoint, Endpoint, EndpointList, presentEndpoint, UpdateEndpoint } from './schema.ts';

async function present(record: EndpointRecord): Promise<z.input<typeof Endpoint>> {
  return presentEndpoint(record, await endpointSecrets.open(record, clock.now()));
}

export const listWebhookEndpoints = listOperation({
  id: 'webhook_endpoints.list',
  path: '/webhook_endpoints',
  operator: 'config.read',
  summary: 'List webhook endpoints',
  exposesCredential: true,
  query: z.object(pageMembers('we')),
  response: EndpointList,
  fetch: (environmentId, _query, window) => listEndpoints(environmentId, window),
  present,
});

export const createWebhookEndpoint = operation({
  id: 'webhook_endpoints.create',
  method: 'POST',
  path: '/webhook_endpoints',
  summary: 'Create a webhook endpoint',
  description:
    'New events are posted to the endpoint, signed with its secret: each at least once, in no guaranteed order. ' +
    'An environment has at most 100 endpoints.',
  auth: apiKey,
  operator: 'secrets.write',
  body: CreateEndpoint,
  responses: { 201: Endpoint },
  errors: [duplicateEndpoint, invalidUrl, tooManyEndpoints],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, unit, fail }) {
    const urlError = describeUrlProblem(body.endpoint_url);
    if (urlError !== undefined) throw fail(invalidUrl, { message: `${urlError} ${invalidUrl.message}` });
    const [all, version] = await awaitAll([findEndpoints(environmentId), readEndpointsVersion(environmentId)]);
    if (all.length >= MAX_ENDPOINTS) throw fail(tooManyEndpoints);
    const id = newId('we');
    const secret = newSigningSecret();
    const { record, write } = endpoints.create({
      environmentId,
      id,
      owner: endpointOwner,
      url: body.endpoint_url,
      status: 'enabled',
      events: body.events,
      secret: await endpointSecrets.seal(environmentId, id, secret),
    });
    unit.stage(changeEndpoints(environmentId, version, write));
    unit.stage(claim(makeUrl(environmentId, record.url), id), fail(duplicateEndpoint));
    return { status: 201, body: presentEndpoint(record, { secret }) };
  },
});

export const updateWebhookEndpoint = operation({
  id: 'webhook_endpoints.update',
  method: 'PATCH',
  path: '/webhook_endpoints/{id}',
  summary: 'Update a webhook endpoint',
  description:
    'Absent fields are unchanged. While an endpoint is disabled, its deliveries become `dropped` when they are due. ' +
    'They are not sent by themselves later: resend them after you have enabled the endpoint. Events that occur while it is disabled ' +
    'have no delivery to it: read them with `GET /events`.',
  auth: apiKey,
  operator: 'config.change',
  body: UpdateEndpoint,
  ifMatch: getWebhookEndpoint,
  dryRun: true,
  responses: { 200: Endpoint },
  errors: [endpointNotFound, duplicateEndpoint, invalidUrl],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail }) {
    const { former, version } = await orFail(findForChange(environmentId, params.id), () => fail(endpointNotFound));
    const { endpoint_url: url = former.url, status = former.status, events = former.events } = body;
    const urlError = url === former.url ? undefined : describeUrlProblem(url);
    if (urlError !== undefined) throw fail(invalidUrl, { message: `${urlError} ${invalidUrl.message}` });
    const reason = status === former.status ? former.disabledReason : 'request';
    const disabledReason = status === 'enabled' ? undefined : reason;
    const { record, write } = endpoints.revise(former, { url, status, events, disabledReason });
    unit.stage(changeEndpoints(environmentId, version, write));
    const [old, wanted] = [makeUrl(environmentId, former.url), makeUrl(environmentId, url)];
    if (old.value !== wanted.value) {
      unit.stage(release(old, former.id));
      unit.stage(claim(wanted, former.id), fail(duplicateEndpoint));
    }
    return { status: 200, body: await present(record) };
  },
});

export const deleteWebhookEndpoint = operation({
  id: 'webhook_endpoints.delete',
  method: 'DELETE',
  path: '/webhook_endpoints/{id}',
  summary: 'Delete a webhook endpoint',
  description: 'Nothing more is posted to it; pending deliveries are dropped.',
  auth: apiKey,
  operator: 'config.change',
  responses: { 204: null },
  errors: [endpointNotFound],
  emits: [],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, unit, fail }) {
    const { former, version } = await orFail(findForChange(environmentId, params.id), () => fail(endpointNotFound));
    unit.stage(changeEndpoints(environmentId, version, endpoints.remove(former)));
    unit.stage(release(makeUrl(environmentId, former.url), former.id));
    return { status: 204 };
  },
});

export const endpointOperations = [
  listWebhookEndpoints,
  createWebhookEndpoint,
  updateWebhookEndpoint,
  deleteWebhookEndpoint,
] as const;
