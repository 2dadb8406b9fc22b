import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Failure, Issue } from '../../../kernel/errors.ts';
import { organizationNotFound } from '../../../tenancy/organizations/public.ts';
import type * as z from 'zod';

import type { ProviderDefinition } from '../catalogue/definition.ts';
import { findProvider } from '../catalogue/find.ts';
import { type ConfigurationRecord, findConfiguration } from '../configuration/entity.ts';
import { findAccounts, type AccountRecord } from '../connected-account/entity.ts';
import { checkOwner, notAnActiveMember, readOwner, userNotFound } from '../connected-account/owner.ts';
import { select } from '../connected-account/rules.ts';
import { type AccountSecrets, openSecrets } from '../connected-account/secrets.ts';
import { accountsAmong } from '../connected-account/stage.ts';
import { findIntegration, type IntegrationRecord } from '../integration/entity.ts';
import { accountSelectionRequired, integrationNotFound } from '../integration/errors.ts';
import { missingScopes, requestedScopes } from '../integration/rules.ts';
import { providerErrors, ProviderFailure, publicFailure } from '../oauth/failure.ts';
import {
  type ClientContext,
  configValues,
  filledParameters,
  oauthClient,
  makeServer,
  visibleConfig,
} from '../oauth/server.ts';
import { exchangeClientCredentials, refreshToken, type TokenSet } from '../oauth/token-endpoint.ts';
import { currentToken, type Renew } from './renewal.ts';
import type { Vend } from './schema.ts';

/** The errors of both operations that return credentials. */
export const vendErrors = [
  integrationNotFound,
  userNotFound,
  organizationNotFound,
  notAnActiveMember,
  accountSelectionRequired,
  ...providerErrors,
] as const;

interface Rejections {
  fail: (error: (typeof vendErrors)[number], details?: { message?: string; retryAfter?: number }) => Failure;
  invalid: (issues: readonly Issue[]) => Failure;
}

/** A connected account whose credentials are requested, with the records that it depends on. */
export interface Vended extends ClientContext {
  account: AccountRecord;
}

/** The connected account, or the reason why it cannot be used. */
export type Found = { kind: 'connection'; vended: Vended } | { kind: 'inactive'; error: 'not_installed' };

/**
 * Finds the connected account that a request selects. A user's connected account takes one round trip: the integration, the
 * connected accounts, the owner's records and the organization's settings are read in parallel.
 */
export async function findAccount(
  environmentId: string,
  slug: string,
  body: z.output<typeof Vend>,
  { fail, invalid }: Rejections,
): Promise<Found> {
  const owner = readOwner(body, invalid);
  const { organizationId } = owner;
  const [integration, provider, found, configuration, { epoch }] = await awaitAll([
    findIntegration(environmentId, slug, owner.ownership),
    findProvider(environmentId, slug),
    findAccounts(environmentId, owner, slug),
    organizationId === undefined ? undefined : findConfiguration(environmentId, organizationId, slug),
    checkOwner(environmentId, owner, body.user_id, { fail, invalid }),
  ]);
  if (integration === undefined || provider === undefined) throw fail(integrationNotFound);
  const { own } = accountsAmong(found, { integrationId: integration.id, epoch });
  const selection = select(own, {
    connectedAccountId: body.connected_account_id,
    supportsMultiple: body.supports_multiple_connections,
  });
  if (selection.kind === 'several') throw fail(accountSelectionRequired);
  if (selection.kind === 'none') return { kind: 'inactive', error: 'not_installed' };
  const { definition } = provider;
  return { kind: 'connection', vended: { integration, definition, configuration, account: selection.account } };
}

/** A valid access token with the account's record, its decrypted secrets, and the scopes that it lacks. */
export interface VendedToken {
  accessToken: string;
  record: AccountRecord;
  secrets: AccountSecrets;
  missing: string[];
  config: Record<string, string>;
}

/** Returns a working access token of an OAuth or client credentials connected account, or the reason why there is none. */
export async function vendToken(
  { account, ...context }: Vended,
  { fail }: Pick<Rejections, 'fail'>,
): Promise<VendedToken | { error: 'not_installed' | 'needs_reauthorization' }> {
  try {
    const renewed = await currentToken(account, makeRenewal(context));
    if (renewed.kind === 'gone') return { error: 'not_installed' };
    if (renewed.kind === 'broken' || renewed.secrets.accessToken === undefined) {
      return { error: 'needs_reauthorization' };
    }
    const { record, secrets } = renewed;
    const requested = scopesFor(context, record.authMethod);
    return {
      accessToken: renewed.secrets.accessToken,
      record,
      secrets,
      missing: missingScopes(requested, record.scopes),
      config: visibleConfig(context, record.config as Record<string, string>),
    };
  } catch (error) {
    if (error instanceof ProviderFailure) throw publicFailure(error, fail);
    throw error;
  }
}

/** Decrypts the secret of an API key connected account. */
export async function vendApiKey({
  account,
  ...context
}: Vended): Promise<{ value: string; config: Record<string, string> }> {
  const { apiKey = '' } = await openSecrets(account);
  return { value: apiKey, config: visibleConfig(context, account.config as Record<string, string>) };
}

/** The scopes that a connected account needs. */
export const scopesFor = (
  {
    integration,
    definition,
    configuration,
  }: {
    integration: IntegrationRecord;
    definition: ProviderDefinition;
    configuration: ConfigurationRecord | undefined;
  },
  method: AccountRecord['authMethod'],
): string[] =>
  requestedScopes(definition, method, configuration?.scopes, method === 'oauth' ? integration.scopes : undefined);

/** Renews a connected account's token: with its refresh token, or with its client's credentials. */
const makeRenewal =
  (context: ClientContext): Renew =>
  async (record, secrets) => {
    const values = await configValues(context, { ...(record.config as Record<string, string>), ...secrets.config });
    return record.authMethod === 'client_credentials'
      ? exchangeOwn(context, record, secrets, values)
      : refresh(context, secrets, values);
  };

async function refresh(
  context: ClientContext,
  { refreshToken: token }: AccountSecrets,
  values: Record<string, string>,
): Promise<TokenSet> {
  const { definition } = context;
  const client = await oauthClient(context);
  // Without a refresh token the user must authorize again; without a client the developer must complete the
  // integration.
  if (token === undefined) throw new ProviderFailure('invalid_grant', 'no_refresh_token');
  if (definition.oauth === undefined || client === undefined) {
    throw new ProviderFailure('invalid_client', 'client_credentials_not_configured', 'No OAuth client is configured.');
  }
  return refreshToken(makeServer(definition, definition.oauth, values), client, token);
}

async function exchangeOwn(
  context: ClientContext,
  { clientId }: AccountRecord,
  { clientSecret }: AccountSecrets,
  values: Record<string, string>,
): Promise<TokenSet> {
  const { definition } = context;
  const endpoint = definition.clientCredentials;
  if (endpoint === undefined || clientId === undefined) {
    throw new ProviderFailure(
      'invalid_client',
      'client_credentials_not_supported',
      'The provider has no token endpoint.',
    );
  }
  const scopes = scopesFor(context, 'client_credentials');
  const parameters = {
    ...filledParameters(definition, endpoint.parameters, values),
    ...(scopes.length === 0 ? {} : { scope: scopes.join(endpoint.scopeSeparator) }),
  };
  const tokens = await exchangeClientCredentials(
    makeServer(definition, endpoint, values),
    { clientId, clientSecret },
    parameters,
  );
  return { ...tokens, scopes: tokens.scopes ?? scopes };
}
