import * as z from 'zod';

import { listSchema } from '../../../kernel/pagination.ts';
import { timestamp } from '../../../kernel/values.ts';
import { AUTH_METHODS } from '../../../kernel/events/catalogue/sessions.ts';
import type { SessionRecord } from './entity.ts';

const Impersonator = z.object({ email: z.string(), reason: z.string().nullable() });

/** The impersonator of a session. */
export type Impersonator = z.output<typeof Impersonator>;

/** A session in the API. */
export const Session = z
  .object({
    object: z.literal('session'),
    id: z.string(),
    impersonator: Impersonator.optional(),
    ip_address: z.string().nullable(),
    organization_id: z.string().optional(),
    user_agent: z.string().nullable(),
    user_id: z.string(),
    auth_method: z.enum(AUTH_METHODS),
    status: z.enum(['active', 'expired', 'revoked']),
    expires_at: timestamp,
    ended_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Session' });

/** A page of sessions. */
export const SessionList = listSchema(Session);

/** The body of a revocation. */
export const RevokeSession = z.object({ session_id: z.string().min(1) }).meta({ id: 'UserlandRevokeSessionDto' });

/** A session as callers see it at a time, in milliseconds since the epoch. */
export function presentSession(record: SessionRecord, now: number): z.input<typeof Session> {
  const isOver = Date.parse(record.endsAt) <= now;
  const status = record.endedAt !== undefined ? 'revoked' : isOver ? 'expired' : 'active';
  return {
    object: 'session',
    id: record.id,
    ...(record.impersonator === undefined ? {} : { impersonator: record.impersonator as Impersonator }),
    ip_address: record.ipAddress ?? null,
    ...(record.organizationId === undefined ? {} : { organization_id: record.organizationId }),
    user_agent: record.userAgent ?? null,
    user_id: record.userId,
    auth_method: record.authMethod,
    status,
    expires_at: record.endsAt,
    ended_at: record.endedAt ?? (isOver ? record.endsAt : null),
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}
