import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Failure, Issue } from '../../../kernel/errors.ts';
import { newUlid } from '../../../kernel/ids.ts';
import { operation } from '../../../kernel/operation.ts';
import { wholeList } from '../../../kernel/pagination.ts';
import { settings } from '../../../kernel/settings.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { findOrganization, organizationNotFound } from '../../../tenancy/organizations/public.ts';
import type * as z from 'zod';

import { configIssues, splitConfig } from '../catalogue/config.ts';
import type { ProviderDefinition } from '../catalogue/definition.ts';
import { findProvider, findProviders } from '../catalogue/find.ts';
import { lastFour } from '../../../kernel/text.ts';
import { findIntegration, type IntegrationRecord, findIntegrations } from '../integration/entity.ts';
import { integrationNotFound } from '../integration/errors.ts';
import { type ConfigurationRecord, configurations, findConfigurations, findConfiguration } from './entity.ts';
import { Configuration, ConfigurationList, Configure, presentConfiguration } from './schema.ts';
import { openConfiguration, sealConfiguration } from './secrets.ts';

/** The integration that represents a slug: the one whose credentials organizations supply, otherwise the one for users. */
const representative = (candidates: readonly (IntegrationRecord | undefined)[]): IntegrationRecord | undefined =>
  candidates.find((integration) => integration?.credentialsType === 'organization') ??
  candidates.find((integration) => integration !== undefined);

export const listConfigurations = operation({
  id: 'data_integration_configurations.list',
  method: 'GET',
  path: '/organizations/{organizationId}/data_integration_configurations',
  summary: 'List an organization’s settings for the providers of the environment',
  description:
    'Lists one entry for each provider; fields that the organization did not set have the environment’s values.',
  auth: apiKey,
  operator: 'config.read',
  responses: { 200: ConfigurationList },
  errors: [organizationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const [organization, users, organizations, set] = await awaitAll([
      findOrganization(environmentId, params.organizationId),
      findIntegrations(environmentId, 'user'),
      findIntegrations(environmentId, 'organization'),
      findConfigurations(environmentId, params.organizationId),
    ]);
    if (organization === undefined) throw fail(organizationNotFound);
    const slugs = [...new Set([...users, ...organizations].map(({ slug }) => slug))].sort();
    const providers = await findProviders(environmentId, slugs);
    const data = slugs.flatMap((slug) => {
      const candidates = [users, organizations].map((list) => list.find((integration) => integration.slug === slug));
      const [integration, provider] = [representative(candidates), providers.get(slug)];
      if (integration === undefined || provider === undefined) return [];
      const own = set.find((configuration) => configuration.slug === slug);
      const { name } = provider.definition;
      return [presentConfiguration(params.organizationId, integration, name, own, settings().GATEHOUSE_BASE_URL)];
    });
    return { status: 200, body: wholeList(data) };
  },
});

const getConfiguration = operation({
  id: 'data_integration_configurations.get',
  method: 'GET',
  path: '/organizations/{organizationId}/data_integration_configurations/{slug}',
  beyondContract: true,
  summary: 'Get an organization’s settings for a provider of the environment',
  description: 'Fields that the organization did not set have the environment’s values.',
  auth: apiKey,
  operator: 'config.read',
  etag: true,
  responses: { 200: Configuration },
  errors: [organizationNotFound, integrationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const { organizationId, slug } = params;
    const { integration, provider, former } = await readConfiguration(environmentId, organizationId, slug, fail);
    const { name } = provider.definition;
    return {
      status: 200,
      body: presentConfiguration(organizationId, integration, name, former, settings().GATEHOUSE_BASE_URL),
    };
  },
});

/**
 * The settings of an organization for a provider with the integration that they are for, by strongly consistent reads.
 * @throws Failure if the organization or the integration does not exist
 */
async function readConfiguration(
  environmentId: string,
  organizationId: string,
  slug: string,
  fail: (error: typeof organizationNotFound) => Failure,
) {
  const [organization, user, shared, provider, former] = await awaitAll([
    findOrganization(environmentId, organizationId),
    findIntegration(environmentId, slug, 'user'),
    findIntegration(environmentId, slug, 'organization'),
    findProvider(environmentId, slug),
    findConfiguration(environmentId, organizationId, slug),
  ]);
  if (organization === undefined) throw fail(organizationNotFound);
  const integration = representative([user, shared]);
  if (integration === undefined || provider === undefined) throw fail(integrationNotFound);
  return { integration, provider, former };
}

type Body = z.output<typeof Configure>;

function configurationIssues(body: Body, integration: IntegrationRecord, definition: ProviderDefinition): Issue[] {
  const takesClient = integration.credentialsType === 'organization';
  const given = (['client_id', 'client_secret'] as const).filter((name) => body[name] !== undefined);
  const message = 'is for integrations whose credentials are of the type organization';
  return [
    ...(takesClient ? [] : given.map((field) => ({ field, code: 'invalid', message }))),
    ...configIssues(definition.config, body.config ?? {}, 'integration'),
  ];
}

/** The new settings of an organization; absent members keep their value. */
async function nextFields(
  identity: { environmentId: string; organizationId: string; id: string },
  former: ConfigurationRecord | undefined,
  body: Body,
  definition: ProviderDefinition,
) {
  const secrets = former === undefined ? {} : await openConfiguration(former);
  const config = splitConfig(definition.config, body.config ?? {});
  const clientSecret = body.client_secret ?? secrets.clientSecret;
  return {
    enabled: body.enabled ?? former?.enabled,
    scopes: body.scopes === undefined ? former?.scopes : (body.scopes ?? undefined),
    clientId: body.client_id ?? former?.clientId,
    clientSecretLastFour: clientSecret === undefined ? undefined : lastFour(clientSecret),
    config: { ...(former?.config as Record<string, string> | undefined), ...config.presented },
    sealed: await sealConfiguration(identity, { clientSecret, config: { ...secrets.config, ...config.secret } }),
  };
}

export const configureIntegration = operation({
  id: 'data_integration_configurations.configure',
  method: 'PUT',
  path: '/organizations/{organizationId}/data_integration_configurations/{slug}',
  summary: 'Configure a provider for an organization',
  description:
    'Absent fields are unchanged; `scopes: null` restores the integration’s scopes. An organization’s own OAuth ' +
    'client is used by integrations whose credentials have the type `organization`.',
  auth: apiKey,
  operator: 'config.change',
  ifMatch: getConfiguration,
  body: Configure,
  responses: { 200: Configuration },
  errors: [organizationNotFound, integrationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const { organizationId, slug } = params;
    const { integration, provider, former } = await readConfiguration(environmentId, organizationId, slug, fail);
    const issues = configurationIssues(body, integration, provider.definition);
    if (issues.length > 0) throw invalid(issues);
    const identity = { environmentId, organizationId, id: former?.id ?? newUlid() };
    const fields = await nextFields(identity, former, body, provider.definition);
    const change =
      former === undefined
        ? configurations.create({ ...identity, slug, owner: ownerKey('organization', organizationId), ...fields })
        : configurations.revise(former, fields);
    unit.stage(change.write);
    const { name } = provider.definition;
    const presented = presentConfiguration(
      organizationId,
      integration,
      name,
      change.record,
      settings().GATEHOUSE_BASE_URL,
    );
    return { status: 200, body: presented };
  },
});

export const configurationOperations = [listConfigurations, getConfiguration, configureIntegration] as const;
