import { apiKey } from '../../../../kernel/authentication/api-key.ts';
import { clock } from '../../../../kernel/clock.ts';
import { describeUrlProblem, invalidUrl } from '../../../../kernel/egress/shared.ts';
import { stageSettings } from '../../../../kernel/environment-settings.ts';
import { orFail } from '../../../../kernel/errors.ts';
import { newId } from '../../../../kernel/ids.ts';
import {
  finishRotation,
  isOverlapping,
  noRotation,
  RotateSecret,
  rotationInProgress,
  startRotation,
} from '../../../../kernel/http/secret-rotation.ts';
import { newSigningSecret } from '../../../../kernel/keys/signing-secrets.ts';
import { listOperation } from '../../../../kernel/list-operation.ts';
import { operation } from '../../../../kernel/operation.ts';
import { pageMembers } from '../../../../kernel/pagination.ts';
import * as z from 'zod';
import { actionSettings } from '../settings.ts';
import { actionEndpointOwner, type ActionEndpointRecord, actionEndpoints, actionSecrets } from './entity.ts';
import { actionEndpointExists, actionEndpointNotFound } from './errors.ts';
import {
  ActionEndpoint,
  ActionEndpointList,
  CreateActionEndpoint,
  presentActionEndpoint,
  UpdateActionEndpoint,
} from './schema.ts';

const common = { auth: apiKey, emits: [], idempotency: 'none' } as const;

async function present(record: ActionEndpointRecord) {
  const now = clock.now();
  return presentActionEndpoint(record, await actionSecrets.open(record, now), now);
}

const listActionEndpoints = listOperation({
  id: 'action_endpoints.list',
  path: '/x/actions/endpoints',
  operator: 'config.read',
  summary: 'List action endpoints',
  exposesCredential: true,
  query: z.object(pageMembers('action_endpoint')),
  response: ActionEndpointList,
  fetch: (environmentId, _query, window) => actionEndpoints.list('primary', { environmentId }).toPage(window),
  present,
});

const createActionEndpoint = operation({
  ...common,
  id: 'action_endpoints.create',
  method: 'POST',
  path: '/x/actions/endpoints',
  operator: 'secrets.write',
  summary: 'Create an action endpoint',
  description:
    'The endpoint is asked, with a signed request, before each sign-in (`authentication`) or registration (`user_registration`) ' +
    'through a grant, the hosted pages, a provider or a connection, and allows or denies it with a signed response. An environment has one ' +
    'endpoint of each type. After it is created, it can take up to five seconds until all sign-ins ask it.',
  body: CreateActionEndpoint,
  responses: { 201: ActionEndpoint },
  errors: [actionEndpointExists, invalidUrl],
  async handle({ environmentId, body, unit, fail }) {
    const problem = describeUrlProblem(body.endpoint_url);
    if (problem !== undefined) throw fail(invalidUrl, { message: `${problem} ${invalidUrl.message}` });
    const id = newId('action_endpoint');
    const { record, write } = actionEndpoints.create({
      environmentId,
      id,
      owner: actionEndpointOwner,
      type: body.type,
      url: body.endpoint_url,
      status: 'enabled',
      onFailure: body.on_failure,
      timeoutMs: body.timeout_ms,
      secret: await actionSecrets.seal(environmentId, id, newSigningSecret()),
    });
    unit.stage(write);
    await stageSettings(unit, environmentId, actionSettings, (current) => {
      if (current[body.type] !== null) throw fail(actionEndpointExists);
      return { ...current, [body.type]: id };
    });
    return { status: 201, body: await present(record) };
  },
});

const getActionEndpoint = operation({
  ...common,
  id: 'action_endpoints.get',
  method: 'GET',
  path: '/x/actions/endpoints/{id}',
  operator: 'config.read',
  summary: 'Get an action endpoint',
  exposesCredential: true,
  etag: true,
  responses: { 200: ActionEndpoint },
  errors: [actionEndpointNotFound],
  async handle({ environmentId, params, fail }) {
    const record = await orFail(actionEndpoints.get(environmentId, params.id), () => fail(actionEndpointNotFound));
    return { status: 200, body: await present(record) };
  },
});

const updateActionEndpoint = operation({
  ...common,
  id: 'action_endpoints.update',
  method: 'PATCH',
  path: '/x/actions/endpoints/{id}',
  operator: 'config.change',
  summary: 'Update an action endpoint',
  description: 'Absent fields are unchanged. A disabled endpoint is not asked: sign-ins and registrations are allowed.',
  body: UpdateActionEndpoint,
  ifMatch: getActionEndpoint,
  dryRun: true,
  responses: { 200: ActionEndpoint },
  errors: [actionEndpointNotFound, invalidUrl],
  async handle({ environmentId, params, body, unit, fail }) {
    const former = await orFail(actionEndpoints.get(environmentId, params.id), () => fail(actionEndpointNotFound));
    const { endpoint_url: url = former.url, status = former.status } = body;
    const { on_failure: onFailure = former.onFailure, timeout_ms: timeoutMs = former.timeoutMs } = body;
    const problem = url === former.url ? undefined : describeUrlProblem(url);
    if (problem !== undefined) throw fail(invalidUrl, { message: `${problem} ${invalidUrl.message}` });
    const { record, write } = actionEndpoints.revise(former, { url, status, onFailure, timeoutMs });
    unit.stage(write);
    return { status: 200, body: await present(record) };
  },
});

const deleteActionEndpoint = operation({
  ...common,
  id: 'action_endpoints.delete',
  method: 'DELETE',
  path: '/x/actions/endpoints/{id}',
  operator: 'config.change',
  summary: 'Delete an action endpoint',
  description: 'It is not asked again. Its executions can no longer be read.',
  responses: { 204: null },
  errors: [actionEndpointNotFound],
  async handle({ environmentId, params, unit, fail }) {
    const record = await orFail(actionEndpoints.get(environmentId, params.id), () => fail(actionEndpointNotFound));
    unit.stage(actionEndpoints.remove(record));
    await stageSettings(unit, environmentId, actionSettings, (current) => ({ ...current, [record.type]: null }));
    return { status: 204 };
  },
});

const rotateActionSecret = operation({
  ...common,
  id: 'action_endpoints.rotate_secret',
  method: 'POST',
  path: '/x/actions/endpoints/{id}/rotate_secret',
  // The response has the stored secret too.
  operator: 'secrets.reveal',
  summary: 'Rotate the secret of an action endpoint',
  description:
    'A rotation has three steps:\n\n' +
    '1. This call returns `next_secret`, and starts an overlap of `overlap_hours` in which both secrets are valid.\n' +
    '2. Make the endpoint accept requests that are signed by either secret. During the overlap `webhook-signature` has a signature by each secret, `Gatehouse-Signature` and `WorkOS-Signature` have one, by the current `secret`, and responses may be signed by either.\n' +
    '3. `POST /x/actions/endpoints/{id}/promote_secret` ends the overlap: from then on only the next secret is valid. Without this call the overlap ends by itself.',
  body: RotateSecret,
  bodyOptional: true,
  responses: { 200: ActionEndpoint },
  errors: [actionEndpointNotFound, rotationInProgress],
  async handle({ environmentId, params, body, unit, fail }) {
    const former = await orFail(actionEndpoints.get(environmentId, params.id), () => fail(actionEndpointNotFound));
    const now = clock.now();
    if (isOverlapping(former, now)) throw fail(rotationInProgress);
    const sealed: unknown = await actionSecrets.seal(environmentId, former.id, newSigningSecret());
    const rotation = startRotation(former, { sealed, overlapHours: body.overlap_hours, now });
    const { record, write } = actionEndpoints.revise(former, rotation);
    unit.stage(write);
    return { status: 200, body: await present(record) };
  },
});

const promoteActionSecret = operation({
  ...common,
  id: 'action_endpoints.promote_secret',
  method: 'POST',
  path: '/x/actions/endpoints/{id}/promote_secret',
  // The response has the stored secret too.
  operator: 'secrets.reveal',
  summary: 'Finish the rotation of the secret of an action endpoint',
  description: 'The next secret replaces the current one.',
  responses: { 200: ActionEndpoint },
  errors: [actionEndpointNotFound, noRotation],
  async handle({ environmentId, params, unit, fail }) {
    const former = await orFail(actionEndpoints.get(environmentId, params.id), () => fail(actionEndpointNotFound));
    if (!isOverlapping(former, clock.now())) throw fail(noRotation);
    const { record, write } = actionEndpoints.revise(former, finishRotation(former));
    unit.stage(write);
    return { status: 200, body: await present(record) };
  },
});

export const actionEndpointOperations = [
  listActionEndpoints,
  createActionEndpoint,
  getActionEndpoint,
  updateActionEndpoint,
  deleteActionEndpoint,
  rotateActionSecret,
  promoteActionSecret,
] as const;
