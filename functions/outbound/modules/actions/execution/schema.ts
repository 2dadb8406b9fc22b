import * as z from 'zod';

import { listSchema, pageMembers } from '../../../../kernel/pagination.ts';
import { timestamp } from '../../../../kernel/values.ts';
import { ACTION_TYPES } from '../settings.ts';
import type { ActionExecutionRecord } from './entity.ts';

const outcome = {
  type: z.enum(ACTION_TYPES),
  verdict: z.enum(['Allow', 'Deny']),
  failure: z
    .string()
    .nullable()
    .describe(
      'The code of the failure that made `on_failure` decide; null if the endpoint decided: `http_status`, `invalid_response`, `invalid_signature`, `stale_response`, or an error of the connection such as `timeout`.',
    ),
  error_message: z.string().nullable().describe('The message of the endpoint for the person.'),
  http_status: z.number().nullable(),
  duration_ms: z.number(),
};

export const ActionExecution = z
  .object({
    object: z.literal('action_execution'),
    id: z.string(),
    action_endpoint_id: z.string(),
    ...outcome,
    user_id: z.string().nullable(),
    organization_id: z.string().nullable(),
    email: z.string(),
    ip_address: z.string().nullable(),
    user_agent: z.string().nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'ActionExecution' });

export const ActionExecutionList = listSchema(ActionExecution).meta({ id: 'ActionExecutionList' });
export const ListActionExecutions = z.object(pageMembers('action_execution'));

export const ActionTest = z
  .object({ object: z.literal('action_test'), id: z.string(), action_endpoint_id: z.string(), ...outcome })
  .meta({ id: 'ActionTest' });

export const presentExecution = (record: ActionExecutionRecord): z.input<typeof ActionExecution> => ({
  object: 'action_execution',
  id: record.id,
  action_endpoint_id: record.endpointId,
  type: record.type,
  verdict: record.verdict,
  failure: record.failure ?? null,
  error_message: record.errorMessage ?? null,
  http_status: record.status ?? null,
  duration_ms: record.durationMs,
  user_id: record.userId ?? null,
  organization_id: record.organizationId ?? null,
  email: record.email,
  ip_address: record.ipAddress ?? null,
  user_agent: record.userAgent ?? null,
  created_at: record.createdAt,
});
