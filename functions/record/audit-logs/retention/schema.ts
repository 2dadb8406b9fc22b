import * as z from 'zod';

import { timestamp } from '../../../kernel/values.ts';
import { PERIOD_DAYS, PERIOD_NAMES, PERIODS } from './rules.ts';

const period = z.enum(PERIOD_NAMES);
const days = z.literal(PERIOD_DAYS).meta({ type: 'integer', deprecated: true });

/** One of the two members, or both if they have the same number of days. */
const Either = z.union(
  [
    z.object({ retention_period: period, retention_period_in_days: days.optional() }),
    z.object({ retention_period: z.never().optional(), retention_period_in_days: days }),
  ],
  'needs retention_period (1_MONTH to 11_MONTHS, 1_YEAR to 10_YEARS) or retention_period_in_days',
);

/** The requested number of days. */
export const readDays = (body: z.output<typeof Either>): number =>
  body.retention_period === undefined ? body.retention_period_in_days : PERIODS[body.retention_period];

export const UpdateRetention = Either.refine(
  (body) => [undefined, readDays(body)].includes(body.retention_period_in_days),
  {
    path: ['retention_period_in_days'],
    message: 'names other days than retention_period: leave one of them out',
  },
).meta({ id: 'UpdateAuditLogsRetentionDto' });

export const Retention = z
  .object({ retention_period_in_days: z.int().nullable() })
  .meta({ id: 'AuditLogsRetentionJson' });

/** The types of log streams that the contract names. {@link SUPPORTED_STREAM_TYPES} can be made here. */
const STREAM_TYPES = [
  'AzureSentinel',
  'Datadog',
  'GenericHttps',
  'GoogleCloudStorage',
  'S3',
  'Snowflake',
  'Splunk',
] as const;

/** The types of log streams that can be created. */
export const SUPPORTED_STREAM_TYPES = ['Datadog', 'GenericHttps', 'S3', 'Splunk'] as const;

export const Configuration = z
  .object({
    organization_id: z.string(),
    retention_period_in_days: z.int(),
    state: z.enum(['active', 'inactive', 'disabled']),
    log_stream: z
      .object({
        id: z.string(),
        type: z.enum(STREAM_TYPES),
        state: z.enum(['active', 'inactive', 'error', 'invalid']),
        last_synced_at: z.string().nullable(),
        created_at: timestamp,
      })
      .optional(),
  })
  .meta({ id: 'AuditLogConfiguration' });
