import * as z from 'zod';

import { AREA_NAMES } from '../../../../kernel/area-names.ts';
import { listSchema, pageMembers } from '../../../../kernel/pagination.ts';
import type { CredentialRecord } from '../../../../kernel/storage/environment.ts';
import { secret, timestamp, timestampInput } from '../../../../kernel/values.ts';

export const ListKeys = z.object(pageMembers('api_key'));

export const CreateKey = z
  .object({
    name: z.string().trim().min(1).max(128),
    read_only: z
      .boolean()
      .default(false)
      .describe('True for a key that changes nothing, and reads no code, link, token or secret.'),
    areas: z
      .array(z.enum(AREA_NAMES))
      .min(1)
      .max(AREA_NAMES.length)
      .optional()
      .describe('The areas that the key may call; all of them if absent.'),
    expires_at: timestampInput.optional().describe('The time from which the key is rejected.'),
  })
  .meta({ id: 'CreateEnvironmentApiKeyDto' });

const Key = z
  .object({
    object: z.literal('environment_api_key'),
    id: z.string(),
    name: z.string(),
    last_four: z.string(),
    read_only: z.boolean(),
    areas: z.array(z.string()).nullable().describe('The areas that the key may call; null for all of them.'),
    last_used_on: z
      .string()
      .nullable()
      .describe('The day (UTC) on which the key was last used, such as 2026-03-03; null if it was never used.'),
    expires_at: timestamp.nullable(),
    revoked_at: timestamp.nullable(),
    replaced_by: z.string().nullable().describe('The key that a rotation made in its place.'),
    created_at: timestamp,
  })
  .meta({ id: 'EnvironmentApiKey' });

export { Key as EnvironmentKey };
export const KeyList = listSchema(Key).meta({ id: 'EnvironmentApiKeyList' });
export const KeyWithValue = Key.extend({ value: secret }).meta({ id: 'EnvironmentApiKeyWithValue' });

/** A key without its value. */
export const presentKey = (record: CredentialRecord): z.input<typeof Key> => ({
  object: 'environment_api_key',
  id: record.keyId,
  name: record.name,
  last_four: record.lastFour,
  read_only: record.readOnly ?? false,
  areas: record.areas ?? null,
  last_used_on: record.lastUsedOn ?? null,
  expires_at: record.endsAt ?? null,
  revoked_at: record.revokedAt ?? null,
  replaced_by: record.replacedBy ?? null,
  created_at: record.createdAt,
});
