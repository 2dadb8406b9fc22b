import * as z from 'zod';

import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import { secret, timestamp } from '../../../kernel/values.ts';
import type { FoundProvider } from '../catalogue/find.ts';
import { AuthMethod } from '../catalogue/schema.ts';
import {
  CreateCustomProvider,
  CustomProvider,
  fieldsOfCustomProvider,
  presentCustomProvider,
  UpdateCustomProvider,
} from '../custom-provider/schema.ts';
import type { AccountRecord } from '../connected-account/entity.ts';
import { AccountOwnerKind, AccountRole, ConfigMap, ScopeList } from '../connected-account/schema.ts';
import type { IntegrationRecord } from './entity.ts';
import { integrationState, methodsOf } from './rules.ts';

const CredentialsInput = z
  .object({
    type: z.enum(['custom', 'organization']),
    client_id: z.string().min(1).max(1_024).optional(),
    client_secret: secret.min(1).max(16_384).optional(),
  })
  .meta({ id: 'DataIntegrationCredentialsDto' });

const ApiKeyInput = z
  .object({ secret: secret.min(5).max(16_384), user_id: z.string(), organization_id: z.string().optional() })
  .meta({ id: 'ApiKeyInstallationDto' });

const ENABLED =
  'Whether owners can connect accounts through it. If false, it is not offered to owners without an account and `authorize` rejects it; connected accounts continue to work.';
const CREDENTIALS =
  'The OAuth client at the provider. With the type `custom` it is the one named here, for all accounts; with `organization` each organization configures its own.';

const description = z.string().max(1_000).nullable().optional();
const slug = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?$/, 'must have 1 to 63 lower-case letters, digits, - or _');

export const CreateIntegration = z
  .object({
    provider: slug.meta({ type: 'string', description: 'The slug of the provider, of the catalogue or your own.' }),
    ownership: AccountOwnerKind.default('user'),
    description,
    enabled: z.boolean().default(false).describe(ENABLED),
    scopes: ScopeList.nullable().optional(),
    auth_methods: z
      .array(AuthMethod)
      .min(1)
      .refine((methods) => new Set(methods).size === methods.length, 'names a method twice')
      .default(['oauth']),
    config: ConfigMap.optional().describe(
      'The values that the provider needs for all accounts of the integration, such as a subdomain, by their names in the catalogue.',
    ),
    credentials: CredentialsInput.optional().describe(CREDENTIALS),
    api_key: ApiKeyInput.optional().describe('An API key of the provider, from which a connected account is made.'),
    custom_provider: CreateCustomProvider.optional(),
  })
  .meta({ id: 'CreateDataIntegrationDto' });

export const UpdateIntegration = z
  .object({
    description,
    enabled: z.boolean().optional().describe(ENABLED),
    scopes: ScopeList.nullable().optional(),
    credentials: CredentialsInput.optional().describe(CREDENTIALS),
    api_key: ApiKeyInput.optional().describe('An API key of the provider, from which a connected account is made.'),
    custom_provider: UpdateCustomProvider.optional(),
  })
  .refine(({ credentials, api_key }) => credentials === undefined || api_key === undefined, {
    path: ['api_key'],
    message: 'cannot be given together with credentials',
  })
  .meta({ id: 'UpdateDataIntegrationDto' });

const Credential = z
  .object({
    type: z.enum(['custom', 'organization']),
    client_id: z.string().nullable(),
    redacted_client_secret: z.string().nullable(),
  })
  .meta({ id: 'DataIntegrationCredential' });

const Installation = z
  .object({
    id: z.string(),
    connection_role: AccountRole,
    account_identifier: z.string().nullable(),
    account_display_name: z.string().nullable(),
    user_id: z.string().nullable(),
    organization_id: z.string().nullable(),
    api_key_last_4: z.string().nullable(),
  })
  .meta({ id: 'DataIntegrationInstallation' });

export const DataIntegration = z
  .object({
    object: z.literal('data_integration'),
    id: z.string(),
    slug: z.string(),
    integration_type: z.string(),
    ownership: AccountOwnerKind,
    description: z.string().nullable(),
    enabled: z.boolean().describe(ENABLED),
    state: z
      .enum(['valid', 'invalid', 'requested'])
      .describe(
        '`invalid` if a change of the provider’s definition removed a field that the integration needs; otherwise `valid`. This service never returns `requested`, which clients may know.',
      ),
    scopes: z.array(z.string()).nullable(),
    redirect_uri: z.string(),
    auth_methods: z.array(AuthMethod),
    credentials: Credential.nullable().describe(CREDENTIALS),
    installation: Installation.nullable().describe(
      'The connected account that this call made of `api_key`; null in all other responses.',
    ),
    config: z
      .record(z.string(), z.string())
      .describe('The values that apply to all accounts of the integration, by their names in the catalogue.'),
    custom_provider: CustomProvider.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'DataIntegration' });

export const DataIntegrationList = listSchema(DataIntegration).meta({ id: 'DataIntegrationList' });

export const ListIntegrations = z.object({
  ...pageMembers('data_integration', 'normal'),
  ownership: AccountOwnerKind.optional(),
});

/** The records that presenting an integration needs. */
export interface Surroundings {
  provider: FoundProvider | undefined;
  baseUrl: string;
  installation?: AccountRecord | undefined;
}

/** The redirect URI of an integration, to which a provider redirects the browser back. */
export const redirectUriOf = ({ redirectKey }: Pick<IntegrationRecord, 'redirectKey'>, baseUrl: string): string =>
  `${baseUrl}/x/data-integrations/callback/${redirectKey}`;

/** A stored integration as callers see it. */
export function presentIntegration(
  record: IntegrationRecord,
  { provider, baseUrl, installation }: Surroundings,
): z.input<typeof DataIntegration> {
  const { credentialsType } = record;
  return {
    object: 'data_integration',
    id: record.id,
    slug: record.slug,
    integration_type: provider?.custom === undefined ? record.slug : 'custom',
    ownership: record.ownership,
    description: record.description ?? null,
    enabled: record.enabled,
    state: integrationState({ ...record, authMethods: methodsOf(record) }, provider?.definition),
    scopes: record.scopes ?? null,
    redirect_uri: redirectUriOf(record, baseUrl),
    auth_methods: methodsOf(record),
    credentials:
      credentialsType === undefined
        ? null
        : {
            type: credentialsType,
            client_id: record.clientId ?? null,
            redacted_client_secret: record.clientSecretLastFour ?? null,
          },
    installation: installation === undefined ? null : presentInstallation(installation),
    config: record.config as Record<string, string>,
    custom_provider:
      provider?.custom === undefined ? null : presentCustomProvider(fieldsOfCustomProvider(provider.custom)),
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

const presentInstallation = (record: AccountRecord): z.input<typeof Installation> => ({
  id: record.id,
  connection_role: record.connectionRole,
  account_identifier: record.accountIdentifier ?? null,
  account_display_name: record.accountDisplayName ?? null,
  user_id: record.userId ?? null,
  organization_id: record.organizationId ?? null,
  api_key_last_4: record.apiKeyLastFour ?? null,
});
