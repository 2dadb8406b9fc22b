import * as z from 'zod';

import { AgentInstance as Payload } from '../../../kernel/events/catalogue/agents.ts';
import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import type { InstanceRecord } from './entity.ts';

export const Instance = Payload.meta({ id: 'AgentInstance' });
export const InstanceList = listSchema(Instance).meta({ id: 'AgentInstanceList' });

/** An id in a filter. Any text is accepted, since an unknown id finds nothing. */
export const filterId = z.string().min(1).max(128).optional();

export const ListInstances = z.object({
  ...pageMembers('agent', 'normal'),
  organization_id: filterId,
  agent_blueprint_id: filterId,
});

/** An instance as callers see it. */
export const presentInstance = (record: InstanceRecord): z.input<typeof Instance> => ({
  object: 'agent_instance',
  id: record.id,
  agent_blueprint_id: record.blueprintId,
  organization_id: record.organizationId,
  organization_membership_id: record.membershipId ?? null,
  type: record.membershipId === undefined ? 'autonomous' : 'delegated',
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});
