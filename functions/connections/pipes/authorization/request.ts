import { calculatePKCECodeChallenge } from 'oauth4webapi';

import { awaitAll } from '../../../kernel/concurrency.ts';
import { settings } from '../../../kernel/settings.ts';
import { findUser } from '../../../tenancy/modules/users/public.ts';
import { expandAddress } from '../catalogue/definition.ts';
import { findProvider } from '../catalogue/find.ts';
import { findConfiguration } from '../configuration/entity.ts';
import { findIntegration } from '../integration/entity.ts';
import { redirectUriOf } from '../integration/schema.ts';
import { type ClientContext, configValues, oauthClient } from '../oauth/server.ts';
import type { ProviderClient } from '../oauth/token-endpoint.ts';
import type { AuthorizationRecord } from './entity.ts';
import { type AuthorizationSecrets, openAuthorization } from './token.ts';

/** The integration, provider and client that every step of an authorization needs. */
export interface AuthorizationContext extends ClientContext {
  client: ProviderClient;
  secrets: AuthorizationSecrets;
  /** All config values; those given with the authorization override the others. */
  values: Record<string, string>;
  redirectUri: string;
}

/** Reports whether the user who started an authorization exists, and no other person has verified the address since. */
export async function isStillTheirs({
  environmentId,
  userId,
  ownershipEpoch = 0,
}: AuthorizationRecord): Promise<boolean> {
  const user = await findUser(environmentId, userId);
  return user !== undefined && (user.ownershipEpoch ?? 0) === ownershipEpoch;
}

/**
 * Reads these for an authorization. Returns undefined if the integration, its provider or its client no longer exists, or
 * the account of the user who started it has another owner.
 */
export async function findContext(record: AuthorizationRecord): Promise<AuthorizationContext | undefined> {
  const { environmentId, slug, ownership, organizationId } = record;
  const [integration, provider, configuration, secrets, isTheirs] = await awaitAll([
    findIntegration(environmentId, slug, ownership),
    findProvider(environmentId, slug),
    organizationId === undefined ? undefined : findConfiguration(environmentId, organizationId, slug),
    openAuthorization(record),
    isStillTheirs(record),
  ]);
  if (!isTheirs || integration?.id !== record.integrationId || provider?.definition.oauth === undefined)
    return undefined;
  const context = { integration, definition: provider.definition, configuration };
  const client = await oauthClient(context);
  if (client === undefined) return undefined;
  const values = await configValues(context, { ...(record.config as Record<string, string>), ...secrets.config });
  const redirectUri = redirectUriOf(integration, settings().GATEHOUSE_BASE_URL);
  return { ...context, client, secrets, values, redirectUri };
}

/** The authorization URL at the provider (RFC 6749 section 4.1.1, RFC 7636 section 4.3). */
export async function authorizationUrl(
  { definition, client, secrets, values, redirectUri }: AuthorizationContext,
  scopes: readonly string[],
  state: string,
): Promise<string> {
  const { oauth } = definition;
  if (oauth === undefined) throw new Error(`${definition.slug} has no authorization endpoint`);
  const url = new URL(expandAddress(definition, oauth.authorizationUrl, values));
  for (const [name, value] of Object.entries(oauth.authorizationParameters)) url.searchParams.set(name, value);
  url.searchParams.set('response_type', 'code');
  url.searchParams.set('client_id', client.clientId);
  url.searchParams.set('redirect_uri', redirectUri);
  url.searchParams.set('state', state);
  if (scopes.length > 0) url.searchParams.set('scope', scopes.join(oauth.scopeSeparator));
  if (secrets.verifier !== undefined) {
    url.searchParams.set('code_challenge', await calculatePKCECodeChallenge(secrets.verifier));
    url.searchParams.set('code_challenge_method', 'S256');
  }
  return url.href;
}
