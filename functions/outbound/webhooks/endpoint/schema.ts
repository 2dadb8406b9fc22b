import * as z from 'zod';

import { subscribableEventNames } from '../../../kernel/events/catalogue/names.ts';
import type { SigningSecrets } from '../../../kernel/http/signature.ts';
import { isOverlapping } from '../../../kernel/http/secret-rotation.ts';
import { listSchema } from '../../../kernel/pagination.ts';
import { secret, timestamp } from '../../../kernel/values.ts';
import type { EndpointRecord } from './entity.ts';

const endpointUrl = z.string().min(1).max(2_000);
const events = z
  .array(z.enum(subscribableEventNames))
  .min(1)
  .max(500)
  .transform((names) => [...new Set(names)]);
const status = z.enum(['enabled', 'disabled']);

export const CreateEndpoint = z.object({ endpoint_url: endpointUrl, events }).meta({ id: 'CreateWebhookEndpointDto' });

export const UpdateEndpoint = z
  .object({ endpoint_url: endpointUrl.optional(), status: status.optional(), events: events.optional() })
  .meta({ id: 'UpdateWebhookEndpointDto' });

const members = {
  object: z.literal('webhook_endpoint'),
  id: z.string(),
  endpoint_url: z.string(),
  secret,
  status,
  events: z.array(z.string()),
  created_at: timestamp,
  updated_at: timestamp,
};

export const Endpoint = z.object(members).meta({ id: 'WebhookEndpointJson' });
export const EndpointList = listSchema(Endpoint).meta({ id: 'WebhookEndpointList' });

/** An endpoint with members that the contract does not have. */
export const EndpointDetails = z
  .object({
    ...members,
    next_secret: secret.nullable().describe('The secret that replaces `secret`; null if no rotation is in progress.'),
    next_secret_at: timestamp
      .nullable()
      .describe('The time at which `next_secret` replaces `secret` automatically; null if no rotation is in progress.'),
    /** The reason why it is disabled: a request, its own 410 response, or five days of failures. */
    disabled_reason: z.enum(['request', 'gone', 'failing']).nullable(),
    /** The time since which no delivery has succeeded, if the last one failed. */
    failing_since: timestamp.nullable(),
  })
  .meta({ id: 'WebhookEndpointDetails' });

/** An endpoint in the contract's form; `secret` is the one that signs the vendor-style header. */
export function presentEndpoint(record: EndpointRecord, { secret: current }: SigningSecrets): z.input<typeof Endpoint> {
  return {
    object: 'webhook_endpoint',
    id: record.id,
    endpoint_url: record.url,
    secret: current,
    status: record.status,
    events: record.events,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

export function presentDetails(
  record: EndpointRecord,
  secrets: SigningSecrets,
  failingSince: string | undefined,
  now: number,
): z.input<typeof EndpointDetails> {
  return {
    ...presentEndpoint(record, secrets),
    next_secret: secrets.next ?? null,
    next_secret_at: isOverlapping(record, now) ? (record.nextSecretAt ?? null) : null,
    disabled_reason: record.status === 'disabled' ? (record.disabledReason ?? 'request') : null,
    failing_since: failingSince ?? null,
  };
}
