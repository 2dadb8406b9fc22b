import * as z from 'zod';

import { listOf } from '../../kernel/pagination.ts';
import { timestamp } from '../../kernel/values.ts';
import { ConfigMap, ScopeList } from '../installation/schema.ts';
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

export const ConfigurationList = listOf(Configuration).meta({ id: 'DataIntegrationConfigurationListResponse' });

export const Configure = z
  .object({
    enabled: z.boolean().optional(),
    scopes: ScopeList.nullable().optional(),
    client_id: z.string().min(1).max(1_024).optional(),
    client_secret: z.string().min(1).max(16_384).optional(),
    config: ConfigMap.optional(),
  })
  .meta({ id: 'ConfigureDataIntegrationBody' });

/** The settings of an organization for a provider, with the effective values of those that it did not set. */
export function presentConfiguration(
  organizationId: string,
  root: IntegrationRecord,
  name: string,
  own: ConfigurationRecord | undefined,
  baseUrl: string,
): z.input<typeof Configuration> {
  return {
    object: 'data_integration_configuration',
    id: root.id,
    organization_id: organizationId,
    slug: root.slug,
    name,
    enabled: own?.enabled ?? root.enabled,
    scopes: own?.scopes ?? root.scopes ?? null,
    config: { ...(root.config as Record<string, string>), ...(own?.config as Record<string, string> | undefined) },
    created_at: own?.createdAt ?? root.createdAt,
    updated_at: own?.updatedAt ?? root.updatedAt,
    ...(root.credentialsType === undefined ? {} : { credentials: credentialsOf(root, own, baseUrl) }),
  };
}

function credentialsOf(
  root: IntegrationRecord,
  own: ConfigurationRecord | undefined,
  baseUrl: string,
): z.input<typeof Credentials> {
  const holder = root.credentialsType === 'organization' ? own : root;
  return {
    credentials_type: root.credentialsType ?? 'custom',
    has_credentials: holder?.clientId !== undefined,
    client_id: holder?.clientId ?? null,
    client_secret_last_four: holder?.clientSecretLastFour ?? null,
    redirect_uri: redirectUriOf(root, baseUrl),
  };
}
