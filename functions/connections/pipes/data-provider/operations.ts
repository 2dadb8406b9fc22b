import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { operation } from '../../../kernel/operation.ts';
import { wholeList } from '../../../kernel/pagination.ts';
import { organizationNotFound } from '../../../tenancy/organizations/public.ts';
import { findProviders } from '../catalogue/find.ts';
import { findAllAccounts } from '../connected-account/entity.ts';
import {
  checkHolder,
  type AccountOwner,
  organizationOwner,
  userNotFound,
  userOwner,
} from '../connected-account/owner.ts';
import { isOf } from '../connected-account/stage.ts';
import { findIntegrations } from '../integration/entity.ts';
import { DataProviderList, ListOrganizationProviders, ListUserProviders, presentProvider } from './schema.ts';

/** The providers of an owner: those that are enabled, and disabled ones that the owner is connected to. */
async function providersFor(
  environmentId: string,
  owner: AccountOwner,
  supportsMultiple: boolean,
  fail: Parameters<typeof checkHolder>[2],
) {
  const [integrations, all, epoch] = await awaitAll([
    findIntegrations(environmentId, owner.ownership),
    findAllAccounts(environmentId, owner.holder),
    checkHolder(environmentId, owner, fail),
  ]);
  const accounts = all
    .filter(({ scope }) => scope === owner.scope)
    .sort((first, second) => (first.id < second.id ? -1 : 1));
  const providers = await findProviders(
    environmentId,
    integrations.map(({ slug }) => slug),
  );
  return integrations.flatMap((integration) => {
    const own = accounts.filter((record) => isOf(record, { integrationId: integration.id, epoch }));
    const provider = providers.get(integration.slug);
    if (provider === undefined || (!integration.enabled && own.length === 0)) return [];
    return [presentProvider(integration, provider, own, supportsMultiple)];
  });
}

const description =
  '`connected_account` is the compatibility account. `connected_accounts` has all accounts if ' +
  '`supports_multiple_connections` is true, otherwise only the compatibility account. An integration that is not enabled is left out, unless the owner has a connected account of it.';

export const listUserProviders = operation({
  id: 'data_providers.list_of_user',
  method: 'GET',
  path: '/user_management/users/{user_id}/data_providers',
  summary: 'List the providers that a user can connect to',
  description,
  auth: apiKey,
  query: ListUserProviders,
  responses: { 200: DataProviderList },
  errors: [userNotFound, organizationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, fail }) {
    const owner = userOwner(params.user_id, query.organization_id);
    const data = await providersFor(environmentId, owner, query.supports_multiple_connections ?? false, fail);
    return { status: 200, body: wholeList(data) };
  },
});

export const listOrganizationProviders = operation({
  id: 'data_providers.list_of_organization',
  method: 'GET',
  path: '/organizations/{organization_id}/data_providers',
  summary: 'List the providers that an organization can connect to',
  description,
  auth: apiKey,
  query: ListOrganizationProviders,
  responses: { 200: DataProviderList },
  errors: [organizationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, fail }) {
    const owner = organizationOwner(params.organization_id);
    const notFound = () => fail(organizationNotFound);
    const data = await providersFor(environmentId, owner, query.supports_multiple_connections ?? false, notFound);
    return { status: 200, body: wholeList(data) };
  },
});

export const dataProviderOperations = [listUserProviders, listOrganizationProviders] as const;
