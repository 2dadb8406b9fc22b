import * as z from 'zod';

import { secret, timestamp } from '../../kernel/values.ts';
import type { ClientSecretRecord } from './entity.ts';

const members = {
  object: z.literal('connect_application_secret'),
  id: z.string(),
  secret_hint: z.string().describe('The last four characters.'),
  last_used_at: timestamp.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
};

export const ClientSecrets = z.array(z.object(members).meta({ id: 'ApplicationCredentialsListItem' }));

/** The response to the creation, the only one that contains the value. */
export const NewClientSecret = z.object({ ...members, secret }).meta({ id: 'NewConnectApplicationSecret' });

export const CreateClientSecret = z.object({}).meta({ id: 'CreateApplicationSecretDto' });

/** A stored secret as callers see it. */
export const presentClientSecret = ({ id, lastFour, lastUsedAt, createdAt, updatedAt }: ClientSecretRecord) => ({
  object: 'connect_application_secret' as const,
  id,
  secret_hint: lastFour,
  last_used_at: lastUsedAt ?? null,
  created_at: createdAt,
  updated_at: updatedAt,
});
