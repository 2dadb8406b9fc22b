import * as z from 'zod';
import { secret, timestamp, timestampInput } from '../../../kernel/values.ts';
import { AuthMethod } from '../catalogue/schema.ts';
import type { AccountRecord } from './entity.ts';

export const AccountRole = z.enum(['compatibility', 'standard']);
export const AccountOwnerKind = z.enum(['user', 'organization']);
const AccountState = z.enum(['connected', 'needs_reauthorization']);

/** Config values by field name. */
export const ConfigMap = z
  .record(z.string().min(1).max(64), z.string().min(1).max(1_024))
  .refine((values) => Object.keys(values).length <= 20, 'has more than 20 members');

/** Scopes in a request, which are tokens of RFC 6749 section 3.3. */
export const ScopeList = z
  .array(z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]{1,255}$/, 'must be a scope without blanks'))
  .max(200);

export const ConnectedAccount = z
  .object({
    object: z.literal('connected_account'),
    id: z.string(),
    connection_role: AccountRole,
    account_identifier: z.string().nullable(),
    account_display_name: z.string().nullable(),
    user_id: z.string().nullable(),
    organization_id: z.string().nullable(),
    scopes: z.array(z.string()),
    auth_method: AuthMethod.nullable().optional(),
    api_key_last_4: z.string().nullable().optional(),
    client_id: z.string().nullable().optional(),
    client_secret_last_4: z.string().nullable().optional(),
    config: z.record(z.string(), z.string()).nullable().optional(),
    state: AccountState,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'ConnectedAccount' });

const ADD = '`add` makes another connected account.';
const reauthorize = {
  connection_intent: z
    .literal('reauthorize')
    .optional()
    .describe('`reauthorize` makes `connected_account_id` required: the account whose credentials are replaced.'),
};

const owner = { user_id: z.string(), organization_id: z.string().optional() };
/** Members of an upsert that select the owner and the connected account. */
const upsert = {
  ...owner,
  connected_account_id: z
    .string()
    .regex(/^data_installation_.+$/)
    .optional(),
  ...reauthorize,
  connection_owner: AccountOwnerKind.default('user'),
  /**
   * A member that the contract does not have: a caller that supports several connected accounts gets an error when the
   * choice is ambiguous.
   */
  supports_multiple_connections: z.boolean().default(false),
};
const addition = {
  ...owner,
  connection_owner: AccountOwnerKind.optional(),
  connection_intent: z.literal('add').describe(ADD),
};
const secretText = secret.min(1).max(16_384);
const clientCredentials = {
  client_id: z.string().min(1).max(1_024).describe('The client id that the owner got from the provider.'),
  client_secret: secretText,
  config: ConfigMap.optional(),
};

const apiKeySecret = secretText.describe('The API key that the owner got from the provider.');
export const UpsertApiKey = z.object({ ...upsert, secret: apiKeySecret });
export const AddApiKey = z.object({ ...addition, secret: apiKeySecret });
export const UpsertClientCredentials = z.object({ ...upsert, ...clientCredentials });
export const AddClientCredentials = z.object({ ...addition, ...clientCredentials });

/** A stored connected account as callers see it. */
export function presentAccount(record: AccountRecord): z.input<typeof ConnectedAccount> {
  const isClient = record.authMethod === 'client_credentials';
  return {
    object: 'connected_account',
    id: record.id,
    connection_role: record.connectionRole,
    account_identifier: record.accountIdentifier ?? null,
    account_display_name: record.accountDisplayName ?? null,
    user_id: record.userId ?? null,
    organization_id: record.organizationId ?? null,
    scopes: record.scopes,
    auth_method: record.authMethod,
    api_key_last_4: record.apiKeyLastFour ?? null,
    ...(isClient
      ? {
          client_id: record.clientId ?? null,
          client_secret_last_4: record.clientSecretLastFour ?? null,
          config: record.config as Record<string, string>,
        }
      : {}),
    state: record.state,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

/** The payload of `pipes.*` events about a connected account. */
export function accountPayload(record: AccountRecord) {
  return {
    object: 'connected_account' as const,
    id: record.id,
    connection_role: record.connectionRole,
    account_identifier: record.accountIdentifier ?? null,
    account_display_name: record.accountDisplayName ?? null,
    data_integration_id: record.integrationId,
    provider_slug: record.slug,
    user_id: record.userId ?? null,
    organization_id: record.organizationId ?? null,
    scopes: record.scopes,
    auth_method: record.authMethod,
    api_key_last_4: record.apiKeyLastFour ?? null,
    state: record.state,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

/** A token: visible characters (RFC 6749 appendix A.12 and A.17). */
const token = secret.max(65_536).regex(/^[\x21-\x7E]+$/, 'must be a token of visible ASCII characters');

const tokens = {
  access_token: token.optional(),
  refresh_token: token.optional(),
  expires_at: timestampInput.optional(),
  scopes: ScopeList.optional().describe(
    'The scopes that the provider granted. An import without them stores those that the integration requests.',
  ),
  state: AccountState.optional().describe(
    '`connected` if the credentials work; `needs_reauthorization` if the owner must connect again.',
  ),
};
const add = { connection_intent: z.literal('add').describe(ADD).optional() };

export const ImportUserAccount = z.object({ ...tokens, ...add });
export const UpdateUserAccount = z.object(tokens).meta({ id: 'ConnectedAccountDto' });
export const ImportOrganizationAccount = z.object({ user_id: z.string(), ...tokens, ...add });
export const UpdateOrganizationAccount = z.object({ user_id: z.string(), ...tokens });

/** A boolean in the form of a query string. */
export const flag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .optional()
  .meta({ type: 'boolean' });

const selector = { supports_multiple_connections: flag, connected_account_id: z.string().min(1).optional() };
const organization = { organization_id: z.string().optional() };

export const SelectUserAccount = z.object({ ...organization, ...selector });
export const SelectOrganizationAccount = z.object(selector);
export const ChangeUserAccount = z.object({ ...organization, ...selector, ...reauthorize });
export const ChangeOrganizationAccount = z.object({ ...selector, ...reauthorize });
export const PlaceUserAccount = z.object(organization);
