import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Failure, Issue } from '../../../kernel/errors.ts';
import { messages, messagesWith400 } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { organizationNotFound } from '../../../tenancy/organizations/public.ts';
import { findProvider } from '../catalogue/find.ts';
import { findConfiguration } from '../configuration/entity.ts';
import { findAccounts, type AccountRecord } from './entity.ts';
import {
  checkHolder,
  checkOwner,
  type AccountOwner,
  notAnActiveMember,
  organizationOwner,
  userNotFound,
  userOwner,
} from './owner.ts';
import { findCompatibilityAccount, select, selectForUpdate, type Selection } from './rules.ts';
import {
  ChangeOrganizationAccount,
  ChangeUserAccount,
  ConnectedAccount,
  ImportOrganizationAccount,
  ImportUserAccount,
  PlaceUserAccount,
  presentAccount,
  SelectOrganizationAccount,
  SelectUserAccount,
  UpdateOrganizationAccount,
  UpdateUserAccount,
} from './schema.ts';
import {
  accountEvents,
  accountsAmong,
  type AccountUnit,
  addFurther,
  type OwnerAccounts,
  replaceCredentials,
  stageAccount,
  stageAccountRemoval,
} from './stage.ts';
import { findIntegration, type IntegrationRecord } from '../integration/entity.ts';
import {
  accountNotFound,
  accountSelectionRequired,
  authMethodMismatch,
  integrationNotFound,
} from '../integration/errors.ts';
import {
  accountExists,
  clientCredentialsNotConfigured,
  invalidIntegrationState,
  invalidRefreshToken,
  invalidTokenCombination,
} from './errors.ts';
import { checkImport, importedCredentials, type TokenMembers, updatedCredentials } from './import.ts';

const USER_PATH = '/user_management/users/{user_id}/connected_accounts/{slug}';
const ORGANIZATION_PATH = '/organizations/{organization_id}/connected_accounts/{slug}';

const lookUpErrors = [integrationNotFound, accountNotFound, userNotFound, organizationNotFound] as const;
const selectErrors = [...lookUpErrors, accountSelectionRequired] as const;
const importErrors = [
  integrationNotFound,
  userNotFound,
  organizationNotFound,
  accountExists,
  authMethodMismatch,
  invalidTokenCombination,
  invalidIntegrationState,
  clientCredentialsNotConfigured,
] as const;

type FailWith<E> = (error: E, details?: { message?: string }) => Failure;
interface SelectQuery {
  supports_multiple_connections?: boolean | undefined;
  connected_account_id?: string | undefined;
}

/** Reads the integration and the connected accounts of a path. */
async function readAccountsFor(
  environmentId: string,
  slug: string,
  owner: AccountOwner,
  fail: FailWith<typeof integrationNotFound>,
): Promise<{ integration: IntegrationRecord; accounts: OwnerAccounts }> {
  const [integration, found, epoch] = await awaitAll([
    findIntegration(environmentId, slug, owner.ownership),
    findAccounts(environmentId, owner, slug),
    checkHolder(environmentId, owner, fail),
  ]);
  if (integration === undefined) throw fail(integrationNotFound);
  return { integration, accounts: accountsAmong(found, { integrationId: integration.id, epoch }) };
}

function chosen(
  selection: Selection<AccountRecord>,
  fail: FailWith<typeof accountNotFound | typeof accountSelectionRequired>,
): AccountRecord {
  if (selection.kind === 'several') throw fail(accountSelectionRequired);
  if (selection.kind === 'none') throw fail(accountNotFound);
  return selection.account;
}

/** Selects the connected account of a read or a deletion. */
async function accountAt(
  environmentId: string,
  slug: string,
  owner: AccountOwner,
  query: SelectQuery,
  fail: FailWith<(typeof selectErrors)[number]>,
): Promise<AccountRecord> {
  const { accounts } = await readAccountsFor(environmentId, slug, owner, fail);
  const selector = {
    connectedAccountId: query.connected_account_id,
    supportsMultiple: query.supports_multiple_connections ?? false,
  };
  return chosen(select(accounts.own, selector), fail);
}

/** The place of a change, and its errors. */
interface Target<E> {
  environmentId: string;
  slug: string;
  owner: AccountOwner;
  unit: AccountUnit;
  fail: FailWith<E>;
  invalid: (issues: readonly Issue[]) => Failure;
}

async function importAccount(
  { environmentId, slug, owner, unit, fail, invalid }: Target<(typeof importErrors)[number]>,
  body: TokenMembers & { connection_intent?: 'add' | undefined },
): Promise<AccountRecord> {
  const { organizationId } = owner;
  const [{ integration, accounts }, provider, configuration] = await awaitAll([
    readAccountsFor(environmentId, slug, owner, fail),
    findProvider(environmentId, slug),
    organizationId === undefined ? undefined : findConfiguration(environmentId, organizationId, slug),
  ]);
  if (provider === undefined) throw fail(integrationNotFound);
  const context = { integration, definition: provider.definition, configuration };
  checkImport(context, body, fail);
  const credentials = importedCredentials(context, body, fail);
  if (body.connection_intent === 'add') {
    return addFurther(unit, { integration, owner, accounts }, credentials, { invalid });
  }
  if (findCompatibilityAccount(accounts.own) !== undefined) throw fail(accountExists);
  const { orphan, epoch } = accounts;
  const place = { environmentId, integration, owner, role: 'compatibility' as const, orphan, epoch };
  return stageAccount(unit, place, credentials);
}

async function updateAccount(
  { environmentId, slug, owner, unit, fail, invalid }: Target<(typeof selectErrors)[number]>,
  query: { connected_account_id?: string | undefined; connection_intent?: 'reauthorize' | undefined },
  body: TokenMembers,
): Promise<AccountRecord> {
  if (query.connection_intent === 'reauthorize' && query.connected_account_id === undefined) {
    const message = 'is required when connection_intent is reauthorize';
    throw invalid([{ field: 'connected_account_id', code: 'required', message }]);
  }
  const { accounts } = await readAccountsFor(environmentId, slug, owner, fail);
  const former = chosen(selectForUpdate(accounts.own, query.connected_account_id), fail);
  if (former.authMethod !== 'oauth' && (body.access_token ?? body.refresh_token) !== undefined) {
    const message = `the connected account authenticates by ${former.authMethod} and takes no tokens`;
    throw invalid([{ field: 'access_token', code: 'auth_method_mismatch', message }]);
  }
  const updated = await updatedCredentials(former, body);
  if ('reason' in updated)
    throw invalid([{ field: 'state', code: 'invalid_token_combination', message: updated.reason }]);
  return replaceCredentials(unit, former, updated.credentials);
}

const common = { auth: apiKey, emits: accountEvents } as const;
const read = { ...common, errorForm: messagesWith400, idempotency: 'none' } as const;

export const getUserAccount = operation({
  ...read,
  id: 'connected_accounts.get_of_user',
  method: 'GET',
  path: USER_PATH,
  summary: 'Get a user’s connected account',
  query: SelectUserAccount,
  responses: { 200: ConnectedAccount },
  errors: selectErrors,
  emits: [],
  async handle({ environmentId, params, query, fail }) {
    const owner = userOwner(params.user_id, query.organization_id);
    return { status: 200, body: presentAccount(await accountAt(environmentId, params.slug, owner, query, fail)) };
  },
});

export const importUserAccount = operation({
  ...common,
  id: 'connected_accounts.import_of_user',
  method: 'POST',
  path: USER_PATH,
  summary: 'Import a user’s connected account with its tokens',
  description:
    'Without `connection_intent: add` it becomes the compatibility account, of which an owner has at most one.',
  query: PlaceUserAccount,
  body: ImportUserAccount,
  responses: { 201: ConnectedAccount },
  errors: [...importErrors, invalidRefreshToken],
  memberErrors: { refresh_token: invalidRefreshToken },
  errorForm: messages,
  idempotency: 'replay',
  async handle({ environmentId, params, query, body, unit, fail, invalid }) {
    const owner = userOwner(params.user_id, query.organization_id);
    const target = { environmentId, slug: params.slug, owner, unit, fail, invalid };
    return { status: 201, body: presentAccount(await importAccount(target, body)) };
  },
});

export const updateUserAccount = operation({
  ...common,
  id: 'connected_accounts.update_of_user',
  method: 'PUT',
  path: USER_PATH,
  summary: 'Update the tokens, scopes or state of a user’s connected account',
  description:
    'Without `connected_account_id` the compatibility account is updated. If the owner has several accounts and none is the compatibility account, the response is 409 `account_selection_required`. Absent fields are unchanged, with two exceptions: a new `access_token` without `expires_at` counts as one that does not expire, and if tokens or `expires_at` are sent without `state`, the state follows from them.',
  query: ChangeUserAccount,
  body: UpdateUserAccount,
  responses: { 200: ConnectedAccount },
  errors: [...selectErrors, invalidRefreshToken],
  memberErrors: { refresh_token: invalidRefreshToken },
  errorForm: messages,
  idempotency: 'none',
  async handle({ environmentId, params, query, body, unit, fail, invalid }) {
    const owner = userOwner(params.user_id, query.organization_id);
    const target = { environmentId, slug: params.slug, owner, unit, fail, invalid };
    return { status: 200, body: presentAccount(await updateAccount(target, query, body)) };
  },
});

export const deleteUserAccount = operation({
  ...read,
  id: 'connected_accounts.delete_of_user',
  method: 'DELETE',
  path: USER_PATH,
  operator: 'people.change',
  summary: 'Disconnect a user’s account',
  description: 'Removes the stored tokens. Nothing is revoked at the provider.',
  query: SelectUserAccount,
  responses: { 204: null },
  errors: selectErrors,
  async handle({ environmentId, params, query, unit, fail }) {
    const owner = userOwner(params.user_id, query.organization_id);
    stageAccountRemoval(unit, await accountAt(environmentId, params.slug, owner, query, fail));
    return { status: 204 };
  },
});

export const getOrganizationAccount = operation({
  ...read,
  id: 'connected_accounts.get_of_organization',
  method: 'GET',
  path: ORGANIZATION_PATH,
  summary: 'Get an organization’s connected account',
  query: SelectOrganizationAccount,
  responses: { 200: ConnectedAccount },
  errors: selectErrors,
  emits: [],
  async handle({ environmentId, params, query, fail }) {
    const owner = organizationOwner(params.organization_id);
    return { status: 200, body: presentAccount(await accountAt(environmentId, params.slug, owner, query, fail)) };
  },
});

export const importOrganizationAccount = operation({
  ...common,
  id: 'connected_accounts.import_of_organization',
  method: 'POST',
  path: ORGANIZATION_PATH,
  summary: 'Import an organization’s connected account with its tokens',
  description: '`user_id` is the active member who makes the call; the account belongs to the organization.',
  body: ImportOrganizationAccount,
  responses: { 201: ConnectedAccount },
  errors: [...importErrors, notAnActiveMember],
  errorForm: messages,
  idempotency: 'replay',
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const owner = organizationOwner(params.organization_id);
    await checkOwner(environmentId, owner, body.user_id, { fail, invalid });
    const target = { environmentId, slug: params.slug, owner, unit, fail, invalid };
    return { status: 201, body: presentAccount(await importAccount(target, body)) };
  },
});

export const updateOrganizationAccount = operation({
  ...common,
  id: 'connected_accounts.update_of_organization',
  method: 'PUT',
  path: ORGANIZATION_PATH,
  summary: 'Update the tokens, scopes or state of an organization’s connected account',
  description:
    '`user_id` is the active member who makes the call. Without `connected_account_id` the compatibility ' +
    'account is updated. If the owner has several accounts and none is the compatibility account, the response is 409 `account_selection_required`. Absent fields are unchanged, with two exceptions: a new `access_token` without `expires_at` counts as one that does not expire, and if tokens or `expires_at` are sent without `state`, the state follows from them.',
  query: ChangeOrganizationAccount,
  body: UpdateOrganizationAccount,
  responses: { 200: ConnectedAccount },
  errors: [...selectErrors, notAnActiveMember],
  errorForm: messages,
  idempotency: 'none',
  async handle({ environmentId, params, query, body, unit, fail, invalid }) {
    const owner = organizationOwner(params.organization_id);
    await checkOwner(environmentId, owner, body.user_id, { fail, invalid });
    const target = { environmentId, slug: params.slug, owner, unit, fail, invalid };
    return { status: 200, body: presentAccount(await updateAccount(target, query, body)) };
  },
});

export const deleteOrganizationAccount = operation({
  ...read,
  id: 'connected_accounts.delete_of_organization',
  method: 'DELETE',
  path: ORGANIZATION_PATH,
  operator: 'people.change',
  summary: 'Disconnect an organization’s account',
  description: 'Removes the stored tokens. Nothing is revoked at the provider.',
  query: SelectOrganizationAccount,
  responses: { 204: null },
  errors: selectErrors,
  async handle({ environmentId, params, query, unit, fail }) {
    const owner = organizationOwner(params.organization_id);
    stageAccountRemoval(unit, await accountAt(environmentId, params.slug, owner, query, fail));
    return { status: 204 };
  },
});

export const connectedAccountOperations = [
  getUserAccount,
  importUserAccount,
  updateUserAccount,
  deleteUserAccount,
  getOrganizationAccount,
  importOrganizationAccount,
  updateOrganizationAccount,
  deleteOrganizationAccount,
] as const;
