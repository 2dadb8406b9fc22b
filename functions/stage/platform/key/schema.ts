import * as z from 'zod';

import { listSchema } from '../../../kernel/pagination.ts';
import type { CredentialRecord } from '../../../kernel/storage/environment.ts';
import { secret, timestamp } from '../../../kernel/values.ts';

export const CreateTeamKey = z
  .object({
    name: z.string().trim().min(1).max(128).default('API key'),
    read_only: z.boolean().default(false).describe('True for a key that can change nothing.'),
  })
  .meta({ id: 'CreateTeamKeyDto' });

const TeamKey = z
  .object({
    object: z.literal('environment_key'),
    id: z.string(),
    environment_id: z.string(),
    name: z.string(),
    last_four: z.string(),
    read_only: z.boolean(),
    created_at: timestamp,
  })
  .meta({ id: 'TeamKey' });

export const TeamKeyList = listSchema(TeamKey).meta({ id: 'TeamKeyList' });
export const TeamKeyWithValue = TeamKey.extend({ value: secret }).meta({ id: 'TeamKeyWithValue' });

/** A key without its value. */
export const presentKey = (record: CredentialRecord): z.input<typeof TeamKey> => ({
  object: 'environment_key',
  id: record.keyId,
  environment_id: record.environmentId,
  name: record.name,
  last_four: record.lastFour,
  read_only: record.readOnly ?? false,
  created_at: record.createdAt,
});
