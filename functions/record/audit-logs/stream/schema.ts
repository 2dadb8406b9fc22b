import * as z from 'zod';

import { secret, timestamp } from '../../../kernel/values.ts';
import type { Configuration } from '../retention/schema.ts';
import { SUPPORTED_STREAM_TYPES } from '../retention/schema.ts';
import type { StreamRecord } from './entity.ts';
import type { Target } from './rules.ts';

const url = z.url({ protocol: /^https?$/ }).max(2_048);
const state = z
  .enum(['active', 'inactive'])
  .default('active')
  .describe('With `inactive` nothing is sent; the stream keeps its position and continues there.');

export const PutStream = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('S3').describe('An S3 bucket.'),
      state,
      bucket: z
        .string()
        .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
        .describe('The name of the bucket.'),
      region: z
        .string()
        .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be a region such as eu-west-1')
        .describe('The region of the bucket, such as `eu-west-1`.'),
      prefix: z.string().max(500).default('').describe('The prefix of the key of every object.'),
      endpoint: url.optional().describe('The endpoint of an S3-compatible store; if absent, that of the region.'),
      access_key_id: z.string().min(1).max(128).describe('The access key that may put objects into the bucket.'),
      secret_access_key: secret.min(1).max(256).describe('Its secret, which signs each upload and is not sent itself.'),
    }),
    z.object({
      type: z.literal('GenericHttps').describe('Your own receiver, over HTTPS.'),
      state,
      url: url.describe('The address to which events are posted. The requests are signed like webhooks.'),
    }),
    z.object({
      type: z.literal('Datadog').describe('Datadog.'),
      state,
      url: url
        .default('https://http-intake.logs.datadoghq.com/api/v2/logs')
        .describe('The address of the log intake of your Datadog site.'),
      api_key: secret.min(1).max(256).describe('An API key of Datadog.'),
    }),
    z.object({
      type: z.literal('Splunk').describe('Splunk (HTTP Event Collector).'),
      state,
      url: url.describe(
        'The address of the HTTP Event Collector, such as `https://splunk.example.com:8088/services/collector/event`.',
      ),
      token: secret.min(1).max(256).describe('The token of the HTTP Event Collector.'),
    }),
  ])
  .meta({ id: 'PutAuditLogStream' });

export const Stream = z
  .object({
    object: z.literal('audit_log_stream'),
    id: z.string(),
    organization_id: z.string(),
    type: z.enum(SUPPORTED_STREAM_TYPES),
    state: z.enum(['active', 'inactive', 'error', 'invalid']),
    /** The target: a URL, or `s3://bucket/prefix`. */
    destination: z.string(),
    last_synced_at: timestamp.nullable(),
    last_error: z.string().nullable(),
    /** The secret that signs the requests of GenericHttps, present only in the response that creates it. */
    secret: secret.optional(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'AuditLogStream' });

/** The members of a request without its secrets. */
export function splitTarget(body: z.output<typeof PutStream>): { target: Target; secrets: Record<string, string> } {
  switch (body.type) {
    case 'S3': {
      const { type, bucket, region, prefix, endpoint, access_key_id: accessKeyId } = body;
      const target = { type, bucket, region, prefix, ...(endpoint === undefined ? {} : { endpoint }), accessKeyId };
      return { target, secrets: { secretAccessKey: body.secret_access_key } };
    }
    case 'GenericHttps':
      return { target: { type: body.type, url: body.url }, secrets: {} };
    case 'Datadog':
      return { target: { type: body.type, url: body.url }, secrets: { apiKey: body.api_key } };
    case 'Splunk':
      return { target: { type: body.type, url: body.url }, secrets: { token: body.token } };
  }
}

const formatDestination = (target: Target): string =>
  target.type === 'S3' ? `s3://${target.bucket}/${target.prefix}` : target.url;

/** A stored stream as callers see it. */
export function presentStream(record: StreamRecord, presentedSecret?: string): z.input<typeof Stream> {
  const target = record.target as Target;
  return {
    object: 'audit_log_stream',
    id: record.id,
    organization_id: record.organizationId,
    type: target.type,
    state: record.state,
    destination: formatDestination(target),
    last_synced_at: record.lastSyncedAt ?? null,
    last_error: record.lastError ?? null,
    ...(presentedSecret === undefined ? {} : { secret: presentedSecret }),
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

/** A stream in the form in which the organization's configuration shows it. */
export function presentLogStream(record: StreamRecord): NonNullable<z.input<typeof Configuration>['log_stream']> {
  return {
    id: record.id,
    type: (record.target as Target).type,
    state: record.state,
    last_synced_at: record.lastSyncedAt ?? null,
    created_at: record.createdAt,
  };
}
