import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Failure, Issue } from '../../../kernel/errors.ts';
import { messagesWith400 } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { organizationNotFound } from '../../../tenancy/organizations/public.ts';
import { configIssues, missingConfig, splitConfig } from '../catalogue/config.ts';
import { findProvider } from '../catalogue/find.ts';
import type { ProviderDefinition } from '../catalogue/definition.ts';
import { findIntegration } from '../integration/entity.ts';
import {
  accountNotFound,
  accountSelectionRequired,
  authMethodMismatch,
  integrationNotFound,
} from '../integration/errors.ts';
import { openConfig } from '../integration/secrets.ts';
import { findAccounts, type AccountRecord } from './entity.ts';
import { checkOwner, notAnActiveMember, readOwner, type OwnerMembers, userNotFound } from './owner.ts';
import type { Selector } from './rules.ts';
import {
  AddApiKey,
  AddClientCredentials,
  ConnectedAccount,
  presentAccount,
  UpsertApiKey,
  UpsertClientCredentials,
} from './schema.ts';
import { openSecrets } from './secrets.ts';
import {
  accountEvents,
  accountFromConfig,
  accountsAmong,
  addFurther,
  apiKeyCredentials,
  checkMethod,
  type Credentials,
  upsertAccount,
  type UpsertTarget,
} from './stage.ts';

const lookUpErrors = [integrationNotFound, userNotFound, organizationNotFound, notAnActiveMember] as const;
const addErrors = [...lookUpErrors, authMethodMismatch] as const;
const upsertErrors = [...addErrors, accountNotFound, accountSelectionRequired] as const;

interface Rejections {
  fail: (error: (typeof addErrors)[number]) => Failure;
  invalid: (issues: readonly Issue[]) => Failure;
}

interface Target extends UpsertTarget {
  definition: ProviderDefinition;
  /** Config values of the integration. */
  config: Record<string, string>;
}

/** Finds the integration and the owner that a request names, by parallel reads. */
async function findTarget(
  environmentId: string,
  slug: string,
  members: OwnerMembers,
  method: 'api_key' | 'client_credentials',
  { fail, invalid }: Rejections,
): Promise<Target> {
  const owner = readOwner(members, invalid);
  const [integration, provider, found, { epoch }] = await awaitAll([
    findIntegration(environmentId, slug, owner.ownership),
    findProvider(environmentId, slug),
    findAccounts(environmentId, owner, slug),
    checkOwner(environmentId, owner, members.user_id, { fail, invalid }),
  ]);
  if (integration === undefined || provider === undefined) throw fail(integrationNotFound);
  checkMethod(integration, method, fail);
  return {
    integration,
    owner,
    accounts: accountsAmong(found, { integrationId: integration.id, epoch }),
    definition: provider.definition,
    config: integration.config as Record<string, string>,
  };
}

/** Selects the connected account of an upsert. */
function makeSelector(
  body: {
    connected_account_id?: string | undefined;
    connection_intent?: 'reauthorize' | undefined;
    supports_multiple_connections: boolean;
  },
  invalid: Rejections['invalid'],
): Selector {
  if (body.connection_intent === 'reauthorize' && body.connected_account_id === undefined) {
    const message = 'is required when connection_intent is reauthorize';
    throw invalid([{ field: 'connected_account_id', code: 'required', message }]);
  }
  return {
    connectedAccountId: body.connected_account_id,
    supportsMultiple: body.supports_multiple_connections,
  };
}

interface ClientBody {
  client_id: string;
  client_secret: string;
  config?: Record<string, string> | undefined;
}

/** The credentials of a client; config values that the request does not name are unchanged. */
async function checkClientCredentials(
  { integration, definition, config }: Target,
  body: ClientBody,
  former: AccountRecord | undefined,
  invalid: Rejections['invalid'],
): Promise<Credentials> {
  const given = body.config ?? {};
  const kept = former === undefined ? {} : (former.config as Record<string, string>);
  const keptSecret = former === undefined ? {} : ((await openSecrets(former)).config ?? {});
  const pinned = { ...config, ...(await openConfig(integration)) };
  const issues = [
    ...configIssues(definition.config, given, 'installation'),
    ...missingConfig(definition.config, 'client_credentials', given, kept, keptSecret, pinned),
  ];
  if (issues.length > 0) throw invalid(issues);
  const { presented, secret } = splitConfig(definition.config, given);
  const values = { ...kept, ...presented };
  return {
    authMethod: 'client_credentials',
    secrets: { clientSecret: body.client_secret, config: { ...keptSecret, ...secret } },
    state: 'connected',
    scopes: [],
    config: values,
    clientId: body.client_id,
    ...accountFromConfig(definition, { ...config, ...values }),
  };
}

const common = { auth: apiKey, emits: accountEvents, errorForm: messagesWith400 } as const;

/** The parts of the declaration that the operations which store or rotate credentials share. */
const upsert = {
  ...common,
  method: 'PUT',
  idempotency: 'none',
  responses: { 200: ConnectedAccount },
  errors: upsertErrors,
} as const;

/** The parts of the declaration that the operations which add a connected account share. */
const addition = {
  ...common,
  method: 'POST',
  description:
    'The new account is a standard account, or the compatibility account if its owner has none at the provider. Calls without `connected_account_id` and without `supports_multiple_connections: true` use the compatibility account.',
  idempotency: 'replay',
  responses: { 201: ConnectedAccount },
  errors: addErrors,
} as const;

export const upsertApiKey = operation({
  ...upsert,
  id: 'data_integrations.upsert_api_key',
  path: '/data-integrations/{slug}/api-key',
  operator: 'secrets.write',
  summary: 'Store or rotate an API key',
  description:
    'Without `connected_account_id` the owner’s compatibility account is created, or its key is rotated. With ' +
    '`connection_owner: organization` the account is shared by the organization’s members, and `user_id` is ' +
    'the active member who makes the call.',
  body: UpsertApiKey,
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const target = await findTarget(environmentId, params.slug, body, 'api_key', { fail, invalid });
    const selector = makeSelector(body, invalid);
    const credentials = apiKeyCredentials(body.secret, target.definition, target.config);
    const record = await upsertAccount(unit, target, selector, () => credentials, { fail });
    return { status: 200, body: presentAccount(record) };
  },
});

export const addApiKey = operation({
  ...addition,
  id: 'data_integrations.add_api_key',
  path: '/data-integrations/{slug}/api-key',
  operator: 'secrets.write',
  summary: 'Add another connected account with an API key',
  body: AddApiKey,
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const target = await findTarget(environmentId, params.slug, body, 'api_key', { fail, invalid });
    const credentials = apiKeyCredentials(body.secret, target.definition, target.config);
    const record = await addFurther(unit, target, credentials, { invalid });
    return { status: 201, body: presentAccount(record) };
  },
});

export const upsertClientCredentials = operation({
  ...upsert,
  id: 'data_integrations.upsert_client_credentials',
  path: '/data-integrations/{slug}/client-credentials',
  operator: 'secrets.write',
  summary: 'Store or rotate client credentials',
  description:
    'Does for client credentials what PUT …/api-key does for API keys. The credentials are exchanged for a token when a token is first requested.',
  body: UpsertClientCredentials,
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const target = await findTarget(environmentId, params.slug, body, 'client_credentials', { fail, invalid });
    const selector = makeSelector(body, invalid);
    const compose = (former: AccountRecord | undefined) => checkClientCredentials(target, body, former, invalid);
    const record = await upsertAccount(unit, target, selector, compose, { fail });
    return { status: 200, body: presentAccount(record) };
  },
});

export const addClientCredentials = operation({
  ...addition,
  id: 'data_integrations.add_client_credentials',
  path: '/data-integrations/{slug}/client-credentials',
  operator: 'secrets.write',
  summary: 'Add another connected account with client credentials',
  body: AddClientCredentials,
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const target = await findTarget(environmentId, params.slug, body, 'client_credentials', { fail, invalid });
    const credentials = await checkClientCredentials(target, body, undefined, invalid);
    const record = await addFurther(unit, target, credentials, { invalid });
    return { status: 201, body: presentAccount(record) };
  },
});

export const connectedAccountCredentialOperations = [
  upsertApiKey,
  addApiKey,
  upsertClientCredentials,
  addClientCredentials,
] as const;
