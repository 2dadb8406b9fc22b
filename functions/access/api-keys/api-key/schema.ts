import * as z from 'zod';

import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import { secret, timestamp, timestampInput } from '../../../kernel/values.ts';
import type { ApiKeyRecord } from './entity.ts';

/** Maximum number of permissions of one key. */
const MAX_PERMISSIONS = 100;

const OrganizationOwner = z.object({ type: z.literal('organization'), id: z.string() });
const UserOwner = z.object({ type: z.literal('user'), id: z.string(), organization_id: z.string() });

const members = {
  name: z.string(),
  obfuscated_value: z.string(),
  last_used_at: timestamp.nullable(),
  expires_at: timestamp.nullable(),
  permissions: z.array(z.string()),
  created_at: timestamp,
  updated_at: timestamp,
};

const apiKeySchema = <Owner extends z.ZodType>(owner: Owner) =>
  z.object({ object: z.literal('api_key'), id: z.string(), owner, ...members });

export const ApiKey = apiKeySchema(z.discriminatedUnion('type', [OrganizationOwner, UserOwner])).meta({ id: 'ApiKey' });
const OrganizationApiKey = apiKeySchema(OrganizationOwner).meta({ id: 'OrganizationApiKey' });
const UserApiKey = apiKeySchema(UserOwner).meta({ id: 'UserApiKey' });

export const OrganizationApiKeyList = listSchema(OrganizationApiKey).meta({ id: 'OrganizationApiKeyList' });
export const UserApiKeyList = listSchema(UserApiKey).meta({ id: 'UserApiKeyList' });

/** The response to the creation, the only one that contains the value. */
export const OrganizationApiKeyWithValue = apiKeySchema(OrganizationOwner)
  .extend({ value: secret })
  .meta({ id: 'OrganizationApiKeyWithValue' });
export const UserApiKeyWithValue = apiKeySchema(UserOwner)
  .extend({ value: secret })
  .meta({ id: 'UserApiKeyWithValue' });

const permissions = z
  .array(z.string().trim().min(1).max(128))
  .max(MAX_PERMISSIONS)
  .transform((names) => [...new Set(names)])
  .optional();

const wanted = { name: z.string().trim().min(1).max(255), permissions, expires_at: timestampInput.optional() };

export const CreateOrganizationApiKey = z.object(wanted).meta({ id: 'CreateOrganizationApiKeyDto' });
export const CreateUserApiKey = z
  .object({ ...wanted, organization_id: z.string().min(1).max(128) })
  .meta({ id: 'CreateUserApiKeyDto' });

export const ExpireApiKey = z
  .object({
    expires_at: timestampInput
      .nullable()
      .optional()
      .describe('A time in the future (ISO 8601). Without it the key expires now; null removes the expiry.'),
  })
  .meta({ id: 'ExpireApiKeyDto' });

export const ValidateApiKey = z
  .object({ value: secret.describe('The API key to check.') })
  .meta({ id: 'ValidateApiKeyDto' });
export const ApiKeyValidation = z
  .object({
    api_key: ApiKey.nullable(),
    agent_registration_id: z
      .string()
      .optional()
      .describe('The id of the registration of the agent to which the key was issued; absent for other keys.'),
  })
  .meta({ id: 'ApiKeyValidationResponse' });

export const ListOrganizationApiKeys = z.object(pageMembers('api_key'));
export const ListUserApiKeys = z.object({
  ...pageMembers('api_key'),
  /** Selects the user's keys within this organization only. */
  organization_id: z.string().min(1).max(128).optional(),
});

type Members = Omit<z.input<typeof ApiKey>, 'owner'>;

const presentMembers = (record: ApiKeyRecord): Members => ({
  object: 'api_key',
  id: record.id,
  name: record.name,
  obfuscated_value: `sk_...${record.lastFour}`,
  last_used_at: record.lastUsedAt ?? null,
  expires_at: record.endsAt ?? null,
  permissions: record.permissions,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});

/** A stored key of an organization as callers see it. */
export const presentOrganizationKey = (record: ApiKeyRecord): z.input<typeof OrganizationApiKey> => ({
  ...presentMembers(record),
  owner: { type: 'organization', id: record.organizationId },
});

/** A stored key of a user as callers see it. */
export const presentUserKey = (record: ApiKeyRecord): z.input<typeof UserApiKey> => ({
  ...presentMembers(record),
  owner: { type: 'user', id: record.userId ?? '', organization_id: record.organizationId },
});

/** A stored key as callers see it, for every kind of owner. */
export const presentKey = (record: ApiKeyRecord): z.input<typeof ApiKey> =>
  record.userId === undefined ? presentOrganizationKey(record) : presentUserKey(record);
