import type { Endpoints } from '../catalogue/facts.ts';
import { findFacts } from '../catalogue/find.ts';
import type { ProviderClient } from '../exchange/client.ts';
import { providerConfigurations, type SocialProviderRecord } from './entity.ts';
import { openProvider } from './secrets.ts';
import { makeClientId } from '../../../kernel/authentication/api-key.ts';
import { settings } from '../../../kernel/settings.ts';

/** A provider with an environment's configuration, which can be used for sign-ins. */
export interface ConfiguredProvider {
  record: SocialProviderRecord;
  client: ProviderClient;
}

/**
 * Finds the client of an environment at a provider, by one GetItem. Returns undefined if it is not configured, or disabled.
 */
export async function configuredProvider(
  environmentId: string,
  provider: string,
): Promise<ConfiguredProvider | undefined> {
  const facts = findFacts(provider);
  const record = facts && (await providerConfigurations.get(environmentId, provider));
  if (facts === undefined || record?.enabled !== true) return undefined;
  const { clientSecret, applePrivateKey } = await openProvider(record);
  const { issuer, tenant, appleTeamId: teamId, appleKeyId: keyId } = record;
  const hasKey = applePrivateKey !== undefined && teamId !== undefined && keyId !== undefined;
  const client = {
    facts,
    location: { issuer, tenant, endpoints: record.endpoints as Partial<Endpoints> | undefined },
    clientId: record.clientId,
    clientSecret,
    apple: hasKey ? { teamId, keyId, privateKey: applePrivateKey } : undefined,
    redirectUri: redirectUriFor(environmentId, provider),
  };
  return { record, client };
}

/**
 * The redirect URI. Each provider of each environment has its own, so that a response of one provider is not accepted as
 * another's (mix-up, RFC 9700 section 4.4).
 */
export const redirectUriFor = (environmentId: string, provider: string): string =>
  `${settings().GATEHOUSE_BASE_URL}/x/social/callback/${provider}/${makeClientId(environmentId)}`;
