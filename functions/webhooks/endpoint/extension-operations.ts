import { apiKey } from '../../kernel/authentication/api-key.ts';
import { clock } from '../../kernel/clock.ts';
import { orFail } from '../../kernel/errors.ts';
import {
  finishRotation,
  isOverlapping,
  noRotation,
  RotateSecret,
  rotationInProgress,
  startRotation,
} from '../../kernel/http/secret-rotation.ts';
import { newSigningSecret } from '../../kernel/keys/signing-secrets.ts';
import { operation } from '../../kernel/operation.ts';
import { healths } from '../health/entity.ts';
import { endpoints, endpointSecrets } from './entity.ts';
import { endpointNotFound } from './errors.ts';
import { EndpointDetails, presentDetails } from './schema.ts';

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
    const [record, health] = await Promise.all([
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
    'During the overlap the Standard Webhooks header has a signature by each secret. The header of the official SDKs has one signature, by the former secret, because these clients read only one. ' +
    'Make the receiver accept both secrets, then promote `next_secret`, and remove the former one from the receiver; at the end of the overlap it is promoted automatically. ' +
    'Calls that are signed with the former secret are valid until then: if it has leaked, promote as soon as the receiver has both.',
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
    const former = await orFail(endpoints.get(environmentId, params.id), () => fail(endpointNotFound));
    const now = clock.now();
    if (isOverlapping(former, now)) throw fail(rotationInProgress);
    const sealed: unknown = await endpointSecrets.seal(environmentId, former.id, newSigningSecret());
    const rotation = startRotation(former, { sealed, overlapHours: body.overlap_hours, now });
    const { record, write } = endpoints.revise(former, rotation);
    unit.stage(write);
    return { status: 200, body: presentDetails(record, await endpointSecrets.open(record, now), undefined, now) };
  },
});

export const promoteWebhookSecret = operation({
  id: 'webhook_endpoints.promote_secret',
  method: 'POST',
  path: '/x/webhook_endpoints/{id}/promote_secret',
  summary: 'Finish a rotation: the next secret replaces the former one',
  description: 'From this response on, calls are signed by the next secret only. The receiver must accept it already.',
  auth: apiKey,
  // The response has the stored secret too.
  operator: 'secrets.reveal',
  responses: { 200: EndpointDetails },
  errors: [endpointNotFound, noRotation],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const former = await orFail(endpoints.get(environmentId, params.id), () => fail(endpointNotFound));
    const now = clock.now();
    if (!isOverlapping(former, now)) throw fail(noRotation);
    const { record, write } = endpoints.revise(former, finishRotation(former));
    unit.stage(write);
    return { status: 200, body: presentDetails(record, await endpointSecrets.open(record, now), undefined, now) };
  },
});

export const endpointExtensionOperations = [getWebhookEndpoint, rotateWebhookSecret, promoteWebhookSecret] as const;
