import { fill } from './template.ts';
import type { Account, AuthMethod, ConfigField, Provider } from './schema.ts';

/** The parameters for calling a token endpoint. */
export interface TokenEndpoint {
  tokenUrl: string;
  authenticateVia: 'request_body' | 'basic_auth_header';
  tokenBody: 'application/x-www-form-urlencoded' | 'application/json';
  scopes: readonly string[];
  scopeSeparator: string;
  assumedLifetimeSeconds?: number | undefined;
  errorAliases?: Readonly<Record<string, string>> | undefined;
}

/** The parameters for a user's authorization (RFC 6749 section 4.1). */
export interface OAuthEndpoints extends TokenEndpoint {
  authorizationUrl: string;
  refreshUrl?: string | undefined;
  issuer?: string | undefined;
  scopesRequired?: boolean | undefined;
  clientSecretRequired: boolean;
  authorizationParameters: Readonly<Record<string, string>>;
  pkce: boolean;
  refresh: 'none' | 'kept' | 'rotating';
}

/** The parameters for the client credentials grant (RFC 6749 section 4.4). */
export interface ClientCredentialsEndpoint extends TokenEndpoint {
  parameters: Readonly<Record<string, string>>;
}

/**
 * A provider in the form that the rest of the area uses, whether it is built in or a customer's own. Addresses of a
 * customer's own provider are customer input, so they are stored unchanged and requested only through the egress guard.
 */
export interface ProviderDefinition {
  slug: string;
  name: string;
  isCustom: boolean;
  authMethods: readonly AuthMethod[];
  oauth?: OAuthEndpoints | undefined;
  clientCredentials?: ClientCredentialsEndpoint | undefined;
  config: readonly ConfigField[];
  account?: Account | undefined;
}

const usual = {
  scopes: [],
  scopeSeparator: ' ',
  authenticateVia: 'request_body',
  tokenBody: 'application/x-www-form-urlencoded',
} as const;

const usualOAuth = { clientSecretRequired: true, authorizationParameters: {}, pkce: false, refresh: 'none' } as const;

/**
 * Converts a built-in provider to a definition. Members that its file leaves out get the defaults of the schema. The schema
 * itself is not used here: the tests validate every file with it.
 */
export function makeDefinition({ oauth, clientCredentials, config = [], ...provider }: Provider): ProviderDefinition {
  return {
    ...provider,
    config,
    isCustom: false,
    oauth: oauth && ({ ...usual, ...usualOAuth, ...oauth } as OAuthEndpoints),
    clientCredentials:
      clientCredentials && ({ ...usual, parameters: {}, ...clientCredentials } as ClientCredentialsEndpoint),
  };
}

/**
 * The address that results from a template and config values; addresses of a customer's own provider are not templates.
 */
export const expandAddress = (
  { isCustom }: Pick<ProviderDefinition, 'isCustom'>,
  template: string,
  values: Readonly<Record<string, string>>,
): string => (isCustom ? template : fill(template, values));

/** Config values with defaults for those that were not given. */
export function withFallbacks(
  { config }: Pick<ProviderDefinition, 'config'>,
  ...layers: readonly (Readonly<Record<string, string>> | undefined)[]
): Record<string, string> {
  const fallbacks = config.flatMap(({ name, fallback }) => (fallback === undefined ? [] : [[name, fallback] as const]));
  return Object.assign(Object.fromEntries(fallbacks), ...layers.filter((layer) => layer !== undefined)) as Record<
    string,
    string
  >;
}
