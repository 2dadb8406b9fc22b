import * as z from 'zod';

import { listSchema } from '../../../kernel/pagination.ts';
import { secret, timestamp } from '../../../kernel/values.ts';
import { ConfigMap, ScopeList } from '../connected-account/schema.ts';
import type { IntegrationRecord } from '../integration/entity.ts';
import { redirectUriOf } from '../integration/schema.ts';
import type { ConfigurationRecord } from './entity.ts';

const Credentials = z
  .object({
    credentials_type: z.enum(['shared', 'custom', 'organization']),
    has_credentials: z.boolean(),
    client_id: z.string().nullable(),
    client_secret_last_four: z.string().nullable(),
    redirect_uri: z.string(),
  })
  .meta({ id: 'DataIntegrationCredentials' });

export const Configuration = z
  .object({
    object: z.literal('data_integration_configuration'),
    id: z.string(),
    organization_id: z.string(),
    slug: z.string(),
    name: z.string(),
    enabled: z.boolean(),
    scopes: z.array(z.string()).nullable(),
    config: z.record(z.string(), z.string()),
    created_at: timestamp,
    updated_at: timestamp,
    credentials: Credentials.optional(),
  })
  .meta({ id: 'DataIntegrationConfigurationResponse' });

export const ConfigurationList = listSchema(Configuration).meta({ id: 'DataIntegrationConfigurationListResponse' });

export const Configure = z
  .object({
    enabled: z
      .boolean()
      .optional()
      .describe(
        'Whether accounts can be connected for the organization. If false, `authorize` rejects it; connected accounts continue to work. True does not enable an integration that is disabled.',
      ),
    scopes: ScopeList.nullable().optional(),
    client_id: z
      .string()
      .min(1)
      .max(1_024)
      .optional()
      .describe('The id of the organization’s own OAuth client at the provider.'),
    client_secret: secret.min(1).max(16_384).optional(),
    config: ConfigMap.optional(),
  })
  .meta({ id: 'ConfigureDataIntegrationBody' });

/** The settings of an organization for a provider, with the effective values of those that it did not set. */
export function presentConfiguration(
  organizationId: string,
  integration: IntegrationRecord,
  name: string,
  own: ConfigurationRecord | undefined,
  baseUrl: string,
): z.input<typeof Configuration> {
  return {
    object: 'data_integration_configuration',
    id: integration.id,
    organization_id: organizationId,
    slug: integration.slug,
    name,
    enabled: own?.enabled ?? integration.enabled,
    scopes: own?.scopes ?? integration.scopes ?? null,
    config: {
      ...(integration.config as Record<string, string>),
      ...(own?.config as Record<string, string> | undefined),
    },
    created_at: own?.createdAt ?? integration.createdAt,
    updated_at: own?.updatedAt ?? integration.updatedAt,
    ...(integration.credentialsType === undefined
      ? {}
      : { credentials: presentCredentials(integration, own, baseUrl) }),
  };
}

function presentCredentials(
  integration: IntegrationRecord,
  own: ConfigurationRecord | undefined,
  baseUrl: string,
): z.input<typeof Credentials> {
  const holder = integration.credentialsType === 'organization' ? own : integration;
  return {
    credentials_type: integration.credentialsType ?? 'custom',
    has_credentials: holder?.clientId !== undefined,
    client_id: holder?.clientId ?? null,
    client_secret_last_four: holder?.clientSecretLastFour ?? null,
    redirect_uri: redirectUriOf(integration, baseUrl),
  };
}
