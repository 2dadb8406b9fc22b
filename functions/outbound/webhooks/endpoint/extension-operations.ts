import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { orFail } from '../../../kernel/errors.ts';
import {
  finishRotation,
  isOverlapping,
  noRotation,
  RotateSecret,
  rotationInProgress,
  startRotation,
} from '../../../kernel/http/secret-rotation.ts';
import { newSigningSecret } from '../../../kernel/keys/signing-secrets.ts';
import { operation } from '../../../kernel/operation.ts';
import { healths } from '../health/entity.ts';
import { endpoints, endpointSecrets } from './entity.ts';
import { endpointNotFound } from './errors.ts';
import { EndpointDetails, presentDetails } from './schema.ts';
import { changeEndpoints, findForChange } from './set.ts';

export const getWebhookEndpoint = operation({
  id: 'webhook_endpoints.get',
  method: 'GET',
  path: '/x/webhook_endpoints/{id}',
  summary: 'Get a webhook endpoint with its secret rotation and its health',
  auth: apiKey,
  operator: 'config.read',
  exposesCredential: true,
  // Deliveries change it, and no update does.
  etag: ({ failing_since: _, ...endpoint }) => endpoint,
  responses: { 200: EndpointDetails },
  errors: [endpointNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const [record, health] = await awaitAll([
      endpoints.get(environmentId, params.id),
      healths.get(environmentId, params.id),
    ]);
    if (record === undefined) throw fail(endpointNotFound);
    const now = clock.now();
    return {
      status: 200,
      body: presentDetails(record, await endpointSecrets.open(record, now), health?.failingSince, now),
    };
  },
});

export const rotateWebhookSecret = operation({
  id: 'webhook_endpoints.rotate_secret',
  method: 'POST',
  path: '/x/webhook_endpoints/{id}/rotate_secret',
  summary: 'Rotate the signing secret of a webhook endpoint',
  description:
    'A rotation has three steps:\n\n' +
    '1. This call returns `next_secret`, and starts an overlap of `overlap_hours` in which both secrets are valid.\n' +
    '2. Make the receiver accept a signature by either secret. During the overlap `webhook-signature` has a signature by each secret; `Gatehouse-Signature` and `WorkOS-Signature` have one, by the current `secret`.\n' +
    '3. `POST /x/webhook_endpoints/{id}/promote_secret` ends the overlap: `next_secret` becomes `secret`, and only it signs. Remove the old one from the receiver. Without this call the overlap ends by itself.\n\n' +
    'If the current secret has leaked, the receiver accepts calls that are signed with it until you remove it there: promote the next secret as soon as the receiver has both.',
  auth: apiKey,
  // The response has the stored secret too.
  operator: 'secrets.reveal',
  body: RotateSecret,
  bodyOptional: true,
  responses: { 200: EndpointDetails },
  errors: [endpointNotFound, rotationInProgress],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail }) {
    const { former, version } = await orFail(findForChange(environmentId, params.id), () => fail(endpointNotFound));
    const now = clock.now();
    if (isOverlapping(former, now)) throw fail(rotationInProgress);
    const sealed: unknown = await endpointSecrets.seal(environmentId, former.id, newSigningSecret());
    const rotation = startRotation(former, { sealed, overlapHours: body.overlap_hours, now });
    const { record, write } = endpoints.revise(former, rotation);
    unit.stage(changeEndpoints(environmentId, version, write));
    return { status: 200, body: presentDetails(record, await endpointSecrets.open(record, now), undefined, now) };
  },
});

export const promoteWebhookSecret = operation({
  id: 'webhook_endpoints.promote_secret',
  method: 'POST',
  path: '/x/webhook_endpoints/{id}/promote_secret',
  summary: 'Finish a rotation: the next secret replaces the current one',
  description:
    'From this response on, calls are signed only by what was `next_secret`. Make the receiver accept it before this call.',
  auth: apiKey,
  // The response has the stored secret too.
  operator: 'secrets.reveal',
  responses: { 200: EndpointDetails },
  errors: [endpointNotFound, noRotation],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const { former, version } = await orFail(findForChange(environmentId, params.id), () => fail(endpointNotFound));
    const now = clock.now();
    if (!isOverlapping(former, now)) throw fail(noRotation);
    const { record, write } = endpoints.revise(former, finishRotation(former));
    unit.stage(changeEndpoints(environmentId, version, write));
    return { status: 200, body: presentDetails(record, await endpointSecrets.open(record, now), undefined, now) };
  },
});

export const endpointExtensionOperations = [getWebhookEndpoint, rotateWebhookSecret, promoteWebhookSecret] as const;
