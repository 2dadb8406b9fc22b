import * as z from 'zod';

import { timestamp } from '../../../kernel/values.ts';
import type { StopKind, StopRecord } from '../../../access/modules/credential-holders/public.ts';

const TARGETS = ['environment', 'organization', 'user', 'agent_blueprint'] as const satisfies readonly StopKind[];

const target = z
  .enum(TARGETS)
  .describe('The target of the stop: all agents of the environment, or those of one organization, user or blueprint.');
const targetId = z.string().min(1).max(128).optional().describe('The id of the target; absent for `environment`.');

export const StopAgents = z
  .object({
    target,
    target_id: targetId,
    reason: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .describe('The reason, which is shown with the stop.')
      .meta({ example: 'Incident 42' }),
  })
  .meta({ id: 'StopAgentsDto' });

export const LiftStop = z.object({ target, target_id: targetId }).meta({ id: 'LiftAgentStopDto' });
export const FindStop = z.object({ target, target_id: targetId });

export const AgentStop = z
  .object({
    object: z.literal('agent_stop'),
    target: z.enum(TARGETS),
    target_id: z.string().nullable(),
    reason: z.string(),
    stopped_at: timestamp,
    lifted_at: timestamp.nullable().describe('The time at which the stop was lifted; null while it is active.'),
  })
  .meta({ id: 'AgentStop' });

/** A stop as callers see it. */
export const presentStop = (record: StopRecord): z.input<typeof AgentStop> => ({
  object: 'agent_stop',
  target: record.target,
  target_id: record.targetId ?? null,
  reason: record.reason,
  stopped_at: record.stoppedAt,
  lifted_at: record.liftedAt ?? null,
});
