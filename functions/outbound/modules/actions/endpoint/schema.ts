import * as z from 'zod';

import type { SigningSecrets } from '../../../../kernel/http/signature.ts';
import { isOverlapping } from '../../../../kernel/http/secret-rotation.ts';
import { listSchema } from '../../../../kernel/pagination.ts';
import { secret, timestamp } from '../../../../kernel/values.ts';
import { ACTION_TYPES } from '../settings.ts';
import type { ActionEndpointRecord } from './entity.ts';

const endpointUrl = z.string().min(1).max(2_000);
const status = z.enum(['enabled', 'disabled']);
const onFailure = z
  .enum(['allow', 'deny'])
  .describe('The verdict if the endpoint does not respond in time, or its response is invalid.');
const timeoutMs = z
  .number()
  .int()
  .min(500)
  .max(5_000)
  .describe('Milliseconds for the whole exchange: name resolution, connection, request and response.');

export const CreateActionEndpoint = z
  .object({
    type: z.enum(ACTION_TYPES).describe('Whether sign-ins or registrations of users are decided by the endpoint.'),
    endpoint_url: endpointUrl,
    on_failure: onFailure.default('deny'),
    timeout_ms: timeoutMs.default(5_000),
  })
  .meta({ id: 'CreateActionEndpointDto' });

export const UpdateActionEndpoint = z
  .object({
    endpoint_url: endpointUrl.optional(),
    status: status.optional(),
    on_failure: onFailure.optional(),
    timeout_ms: timeoutMs.optional(),
  })
  .meta({ id: 'UpdateActionEndpointDto' });

export const ActionEndpoint = z
  .object({
    object: z.literal('action_endpoint'),
    id: z.string(),
    type: z.enum(ACTION_TYPES).describe('Whether sign-ins or registrations of users are decided by the endpoint.'),
    endpoint_url: z.string(),
    status,
    on_failure: onFailure,
    timeout_ms: z.number(),
    secret,
    next_secret: secret.nullable().describe('The secret that replaces `secret`; null if no rotation is in progress.'),
    next_secret_at: timestamp
      .nullable()
      .describe('The time at which `next_secret` replaces `secret` automatically; null if no rotation is in progress.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'ActionEndpoint' });

export const ActionEndpointList = listSchema(ActionEndpoint).meta({ id: 'ActionEndpointList' });

export function presentActionEndpoint(
  record: ActionEndpointRecord,
  secrets: SigningSecrets,
  now: number,
): z.input<typeof ActionEndpoint> {
  return {
    object: 'action_endpoint',
    id: record.id,
    type: record.type,
    endpoint_url: record.url,
    status: record.status,
    on_failure: record.onFailure,
    timeout_ms: record.timeoutMs,
    secret: secrets.secret,
    next_secret: secrets.next ?? null,
    next_secret_at: isOverlapping(record, now) ? (record.nextSecretAt ?? null) : null,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}
