import * as z from 'zod';

import { timestamp } from '../../../../kernel/values.ts';
import type { UserRecord } from './entity.ts';

export const User = z
  .object({
    object: z.literal('user'),
    id: z.string(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    name: z.string().nullable().optional(),
    profile_picture_url: z.string().nullable(),
    email: z.string(),
    email_verified: z.boolean(),
    external_id: z.string().nullable(),
    metadata: z.record(z.string(), z.string()).meta({ maxProperties: 50 }).optional(),
    last_sign_in_at: timestamp.nullable(),
    locale: z.string().nullable().optional(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'UserlandUser' });

/** A user as callers see it, and the data of user events. */
export type WireUser = z.output<typeof User>;

/** A stored user as callers see it. */
export function presentUser(record: UserRecord): WireUser {
  return {
    object: 'user',
    id: record.id,
    first_name: record.firstName ?? null,
    last_name: record.lastName ?? null,
    name: record.name ?? null,
    profile_picture_url: record.profilePictureUrl ?? null,
    email: record.email,
    email_verified: record.emailVerified,
    external_id: record.externalId ?? null,
    metadata: record.metadata as Record<string, string>,
    last_sign_in_at: record.lastSignInAt ?? null,
    locale: record.locale ?? null,
    created_at: record.createdAt,
    updated_at: record.changedAt ?? record.updatedAt,
  };
}
