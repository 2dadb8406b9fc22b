import { awaitAll } from '../../../kernel/concurrency.ts';
import { expandAddress, type ProviderDefinition, type TokenEndpoint, withFallbacks } from '../catalogue/definition.ts';
import { fill, MissingConfig } from '../catalogue/template.ts';
import type { ConfigurationRecord } from '../configuration/entity.ts';
import { openConfiguration } from '../configuration/secrets.ts';
import type { IntegrationRecord } from '../integration/entity.ts';
import { openClientSecret, openConfig } from '../integration/secrets.ts';
import { ProviderFailure } from './failure.ts';
import type { ProviderClient, ProviderServer } from './token-endpoint.ts';

/** The sources of config values and credentials; later ones override earlier ones. */
export interface ClientContext {
  integration: IntegrationRecord;
  definition: ProviderDefinition;
  /** The settings of the organization that a connected account belongs or is scoped to. */
  configuration: ConfigurationRecord | undefined;
}

/** All config values: those of the integration, the organization and the connected account, including secret ones. */
export async function configValues(
  { integration, definition, configuration }: ClientContext,
  own: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const [pinned, organization] = await awaitAll([
    openConfig(integration),
    configuration && openConfiguration(configuration),
  ]);
  return withFallbacks(
    definition,
    integration.config as Record<string, string>,
    pinned,
    configuration?.config as Record<string, string> | undefined,
    organization?.config,
    own,
  );
}

/** Public config values, which a caller needs to address the provider's API. */
export const visibleConfig = (
  { integration, definition, configuration }: ClientContext,
  own: Readonly<Record<string, string>>,
): Record<string, string> =>
  withFallbacks(
    definition,
    integration.config as Record<string, string>,
    configuration?.config as Record<string, string> | undefined,
    own,
  );

/** The OAuth client of the environment, or of the organization if each organization has its own. */
export async function oauthClient({ integration, configuration }: ClientContext): Promise<ProviderClient | undefined> {
  if (integration.credentialsType === 'organization') {
    if (configuration?.clientId === undefined) return undefined;
    const { clientSecret } = await openConfiguration(configuration);
    return { clientId: configuration.clientId, clientSecret };
  }
  if (integration.clientId === undefined) return undefined;
  return { clientId: integration.clientId, clientSecret: await openClientSecret(integration) };
}

/**
 * Fills a provider's endpoints with config values.
 * @throws ProviderFailure `blocked`, which names the config field without a value
 */
export function makeServer(
  definition: ProviderDefinition,
  endpoint: TokenEndpoint & { refreshUrl?: string | undefined; issuer?: string | undefined; authorizationUrl?: string },
  values: Readonly<Record<string, string>>,
): ProviderServer {
  return named(() => {
    const { tokenUrl, refreshUrl, issuer, authorizationUrl } = endpoint;
    const token = expandAddress(definition, tokenUrl, values);
    return {
      ...endpoint,
      tokenUrl: token,
      refreshUrl: refreshUrl && expandAddress(definition, refreshUrl, values),
      // If the issuer is not known, the issuer of the response must at least have the host of the authorization endpoint.
      issuer: expandAddress(
        definition,
        issuer ?? new URL(expandAddress(definition, authorizationUrl ?? token, values)).origin,
        values,
      ),
    };
  });
}

/** The parameters of a request whose values may name config fields. */
export const filledParameters = (
  { isCustom }: ProviderDefinition,
  parameters: Readonly<Record<string, string>>,
  values: Readonly<Record<string, string>>,
): Record<string, string> =>
  named(() =>
    Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [name, isCustom ? value : fill(value, values)]),
    ),
  );

function named<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof MissingConfig)) throw error;
    throw new ProviderFailure('blocked', 'missing_config', `${error.message}.`);
  }
}
