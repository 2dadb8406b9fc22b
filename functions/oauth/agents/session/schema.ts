import * as z from 'zod';

import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import { timestamp } from '../../../kernel/values.ts';
import { filterId } from '../instance/schema.ts';
import type { SessionRecord } from './entity.ts';

export const AgentSession = z
  .object({
    object: z.literal('agent_instance_session'),
    id: z.string(),
    agent_instance_id: z.string(),
    status: z.enum(['active', 'revoked', 'expired']),
    expires_at: timestamp,
    revoked_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'AgentInstanceSession' });

export const AgentSessionList = listSchema(AgentSession).meta({ id: 'AgentInstanceSessionList' });

export const ListSessions = z.object({
  ...pageMembers('agent_session', 'normal'),
  organization_id: filterId,
  agent_blueprint_id: filterId,
  agent_instance_id: filterId,
});

/** The status of a session at a time, in milliseconds since the epoch: revoked has priority over expired. */
export const statusAt = ({ endedAt, endsAt }: SessionRecord, now: number): 'active' | 'revoked' | 'expired' =>
  endedAt !== undefined ? 'revoked' : Date.parse(endsAt) <= now ? 'expired' : 'active';

/** A session as callers see it at a time, in milliseconds since the epoch. */
export const presentSession = (record: SessionRecord, now: number): z.input<typeof AgentSession> => ({
  object: 'agent_instance_session',
  id: record.id,
  agent_instance_id: record.instanceId,
  status: statusAt(record, now),
  expires_at: record.endsAt,
  revoked_at: record.endedAt ?? null,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});

/** A session as the data of its revocation. */
export const presentRevokedSession = (record: SessionRecord) => ({
  object: 'agent_instance_session' as const,
  id: record.id,
  agent_instance_id: record.instanceId,
  organization_id: record.organizationId,
  expires_at: record.endsAt,
  revoked_at: record.endedAt ?? null,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});

/** A session as the data of its creation. */
export const presentNewSession = (record: SessionRecord) => ({
  ...presentRevokedSession(record),
  permission_slugs: record.permissions,
});
