import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Failure, Issue } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import { settings } from '../../../kernel/settings.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { organizationNotFound } from '../../../tenancy/organizations/public.ts';
import { findProvider, findProviders } from '../catalogue/find.ts';
import { releaseCustomProvider } from '../custom-provider/stage.ts';
import type { AccountRecord } from '../connected-account/entity.ts';
import { checkOwner, notAnActiveMember, readOwner, userNotFound } from '../connected-account/owner.ts';
import { selectForUpdate } from '../connected-account/rules.ts';
import {
  accountEvents,
  type AccountUnit,
  apiKeyCredentials,
  checkMethod,
  readAccounts,
  stageAccount,
  upsertAccount,
} from '../connected-account/stage.ts';
import { pipesSettings } from '../settings.ts';
import { type Changed, stageIntegration, stageIntegrationChange } from './stage.ts';
import { findIntegration, type IntegrationRecord, integrations, type Ownership } from './entity.ts';
import { eraseWithRoot } from '../erasure/work.ts';
import {
  accountNotFound,
  accountSelectionRequired,
  authMethodMismatch,
  integrationExists,
  integrationNotFound,
  organizationIntegrationsUnavailable,
  providerNotFound,
} from './errors.ts';
import {
  CreateIntegration,
  DataIntegration,
  DataIntegrationList,
  ListIntegrations,
  presentIntegration,
  UpdateIntegration,
} from './schema.ts';

const ownerErrors = [userNotFound, organizationNotFound, notAnActiveMember] as const;

/** Rejects the call if the environment has not enabled integrations for organizations. */
async function checkAvailable(
  environmentId: string,
  fail: (error: typeof organizationIntegrationsUnavailable) => Failure,
): Promise<void> {
  if (!(await findSettings(environmentId, pipesSettings)).organization_integrations)
    throw fail(organizationIntegrationsUnavailable);
}

export const listIntegrations = operation({
  id: 'data_integrations.list',
  method: 'GET',
  path: '/data-integrations',
  summary: 'List data integrations',
  description:
    'Integrations for users and integrations for organizations are separate entries; `ownership` selects one ' +
    'kind. The list may lag behind changes for a moment.',
  auth: apiKey,
  operator: 'config.read',
  query: ListIntegrations,
  responses: { 200: DataIntegrationList },
  errors: [organizationIntegrationsUnavailable],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query, fail }) {
    const { ownership } = query;
    if (ownership === 'organization') await checkAvailable(environmentId, fail);
    const page = await readPage(
      query,
      (window) =>
        ownership === undefined
          ? integrations.list('byCreation', { environmentId }).toPage(window)
          : integrations.list('byOwnership', { environmentId, ownership }).toPage(window),
      (record) => record,
    );
    const slugs = page.data.map(({ slug }) => slug);
    const providers = await findProviders(environmentId, slugs);
    const baseUrl = settings().GATEHOUSE_BASE_URL;
    const present = (record: IntegrationRecord) =>
      presentIntegration(record, { provider: providers.get(record.slug), baseUrl });
    return { status: 200, body: { ...page, data: page.data.map(present) } };
  },
});

export const createIntegration = operation({
  id: 'data_integrations.create',
  method: 'POST',
  path: '/data-integrations',
  summary: 'Create a data integration',
  description:
    'A provider has at most one integration of each `ownership`: one to which users connect, and one to which organizations connect. A new slug with `custom_provider` defines your ' +
    'own provider; the same slug without it adds the other ownership. `api_key` also creates the first connected ' +
    'account, of the user or organization that `api_key` names. `installation` of this response is that account; later responses have null there, and the account is in the connected accounts of its owner.',
  auth: apiKey,
  operator: 'config.change',
  body: CreateIntegration,
  responses: { 201: DataIntegration },
  errors: [providerNotFound, organizationIntegrationsUnavailable, integrationExists, ...ownerErrors],
  emits: accountEvents,
  idempotency: 'replay',
  async handle({ environmentId, body, unit, fail, invalid }) {
    if (body.ownership === 'organization') await checkAvailable(environmentId, fail);
    const { integration, provider } = await stageIntegration(unit, environmentId, body, { fail, invalid });
    let installation: AccountRecord | undefined;
    if (body.api_key !== undefined) {
      const owner = readOwner({ ...body.api_key, connection_owner: body.ownership }, invalid);
      const { epoch } = await checkOwner(environmentId, owner, body.api_key.user_id, { fail, invalid });
      const { orphan } = await readAccounts(integration, owner, epoch);
      const config = integration.config as Record<string, string>;
      installation = await stageAccount(
        unit,
        { environmentId, integration, owner, role: 'compatibility', orphan, epoch },
        apiKeyCredentials(body.api_key.secret, provider.definition, config),
      );
    }
    const body201 = presentIntegration(integration, { provider, baseUrl: settings().GATEHOUSE_BASE_URL, installation });
    return { status: 201, body: body201 };
  },
});

interface ApiKeyRejections {
  fail: (
    error:
      | (typeof ownerErrors)[number]
      | typeof authMethodMismatch
      | typeof accountNotFound
      | typeof accountSelectionRequired,
  ) => Failure;
  invalid: (issues: readonly Issue[]) => Failure;
}

/** Stages the API key of an owner, which an update of an integration may contain. */
async function stageApiKeyOfOwner(
  unit: AccountUnit,
  { integration, provider }: Changed,
  given: { secret: string; user_id: string; organization_id?: string | undefined },
  { fail, invalid }: ApiKeyRejections,
): Promise<void> {
  checkMethod(integration, 'api_key', fail);
  const owner = readOwner({ ...given, connection_owner: integration.ownership }, invalid);
  const { epoch } = await checkOwner(integration.environmentId, owner, given.user_id, { fail, invalid });
  // This request cannot name a connected account. If none is selected by default, the operation on the owner's connected
  // accounts must be used.
  const accounts = await readAccounts(integration, owner, epoch);
  if (selectForUpdate(accounts.own, undefined).kind === 'several') throw fail(accountSelectionRequired);
  const config = integration.config as Record<string, string>;
  const credentials = apiKeyCredentials(given.secret, provider.definition, config);
  const target = { integration, owner, accounts };
  await upsertAccount(unit, target, { supportsMultiple: false }, () => credentials, { fail });
}

const updateErrors = [
  integrationNotFound,
  authMethodMismatch,
  accountNotFound,
  accountSelectionRequired,
  ...ownerErrors,
] as const;

/** The operations on the integrations of one ownership, which differ only in their path. */
function rootOperations<const Path extends '/data-integrations/{slug}' | '/data-integrations/{slug}/organization'>(
  ownership: Ownership,
  path: Path,
  suffix: string,
) {
  // A user needs no membership here, so that error is not declared.
  const errors = updateErrors.filter((error) => ownership === 'organization' || error !== notAnActiveMember);
  const noun = `the data integration that ${ownership}s connect to`;
  const get = operation({
    id: `data_integrations.get${suffix}`,
    method: 'GET',
    path: path as '/data-integrations/{slug}',
    summary: `Get ${noun}`,
    auth: apiKey,
    operator: 'config.read',
    etag: true,
    responses: { 200: DataIntegration },
    errors: [integrationNotFound],
    emits: [],
    idempotency: 'none',
    async handle({ environmentId, params, fail }) {
      const [record, provider] = await awaitAll([
        findIntegration(environmentId, params.slug, ownership),
        findProvider(environmentId, params.slug),
      ]);
      if (record === undefined) throw fail(integrationNotFound);
      return { status: 200, body: presentIntegration(record, { provider, baseUrl: settings().GATEHOUSE_BASE_URL }) };
    },
  });
  const update = operation({
    id: `data_integrations.update${suffix}`,
    method: 'PUT',
    path: path as '/data-integrations/{slug}',
    summary: `Update ${noun}`,
    description:
      'Absent fields are unchanged. `scopes: null` restores the provider’s default scopes; `custom_provider` ' +
      'changes the definition for both ownerships; `api_key` creates a connected account or rotates its key.',
    auth: apiKey,
    operator: 'config.change',
    ifMatch: get,
    body: UpdateIntegration,
    responses: { 200: DataIntegration },
    errors: errors as unknown as typeof updateErrors,
    emits: accountEvents,
    idempotency: 'none',
    async handle({ environmentId, params, body, unit, fail, invalid }) {
      const [former, found] = await awaitAll([
        findIntegration(environmentId, params.slug, ownership),
        findProvider(environmentId, params.slug),
      ]);
      if (former === undefined || found === undefined) throw fail(integrationNotFound);
      const changed = await stageIntegrationChange(unit, former, found, body, { invalid });
      if (body.api_key !== undefined) await stageApiKeyOfOwner(unit, changed, body.api_key, { fail, invalid });
      const surroundings = { provider: changed.provider, baseUrl: settings().GATEHOUSE_BASE_URL };
      return { status: 200, body: presentIntegration(changed.integration, surroundings) };
    },
  });
  const remove = operation({
    id: `data_integrations.delete${suffix}`,
    method: 'DELETE',
    path: path as '/data-integrations/{slug}',
    summary: `Delete ${noun}, with all its connected accounts`,
    description:
      'The integration and access to its accounts are removed at once; stored data is erased within some ten minutes. A custom ' +
      'provider’s definition is deleted with its last integration. Nothing is revoked at the provider.',
    auth: apiKey,
    operator: 'config.change',
    responses: { 204: null },
    errors: [integrationNotFound],
    emits: accountEvents,
    idempotency: 'none',
    async handle({ environmentId, params, unit, fail }) {
      const [record, provider] = await awaitAll([
        findIntegration(environmentId, params.slug, ownership),
        findProvider(environmentId, params.slug),
      ]);
      if (record === undefined) throw fail(integrationNotFound);
      unit.stage(integrations.remove(record));
      if (provider?.custom !== undefined) releaseCustomProvider(unit, provider.custom, ownership);
      await eraseWithRoot(unit, record);
      return { status: 204 };
    },
  });
  return { get, update, remove };
}

export const userRoot = rootOperations('user', '/data-integrations/{slug}', '');
export const organizationRoot = rootOperations(
  'organization',
  '/data-integrations/{slug}/organization',
  '_of_organizations',
);

export const integrationOperations = [listIntegrations, createIntegration] as const;
