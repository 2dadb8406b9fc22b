import * as z from 'zod';

import { secret, timestamp } from '../../../kernel/values.ts';
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

/** The only type of assertion by which a client authenticates itself (RFC 7523 section 2.2). */
export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

const text = z.string().max(4_096).optional();

/** The members by which a client identifies or authenticates itself in a form (RFC 6749 section 2.3.1, RFC 7521 section 4.2). */
export const clientMembers = {
  client_id: z.string().max(2_048).optional(),
  client_secret: text.meta({ format: 'password' }),
  client_assertion_type: text.meta({ example: ASSERTION_TYPE }),
  client_assertion: z
    .string()
    .max(16_384)
    .optional()
    .meta({ format: 'password' })
    .describe(
      'A JWT that is signed with one of the application’s keys and valid for at most five minutes (RFC 7523 section 3).',
    ),
};

export type ClientMembers = z.output<z.ZodObject<typeof clientMembers>>;
