import type { Issue } from '../../../kernel/errors.ts';
import type { ProviderDefinition } from '../catalogue/definition.ts';
import type { AuthMethod } from '../catalogue/schema.ts';

/** The methods by which accounts may authenticate with an integration. */
export const methodsOf = ({ authMethods }: { authMethods: readonly string[] }): AuthMethod[] =>
  authMethods as AuthMethod[];

/** The members of an integration that decide whether it can work. */
export interface IntegrationParts {
  authMethods: readonly AuthMethod[];
  credentialsType?: 'custom' | 'organization' | undefined;
  clientId?: string | undefined;
  clientSecretLastFour?: string | undefined;
  scopes?: readonly string[] | undefined;
}

const issue = (field: string, message: string): Issue => ({ field, code: 'invalid', message });

/** Describes the members because of which an integration cannot work with its provider. */
export function integrationIssues(parts: IntegrationParts, definition: ProviderDefinition): Issue[] {
  const unsupported = parts.authMethods
    .filter((method) => !definition.authMethods.includes(method))
    .map((method) => unsupportedIssue(method, definition));
  if (!parts.authMethods.includes('oauth')) {
    const message = 'are for integrations whose auth_methods include oauth';
    return parts.credentialsType === undefined ? unsupported : [...unsupported, issue('credentials', message)];
  }
  return [...unsupported, ...credentialIssues(parts, definition), ...scopeIssues(parts, definition)];
}

function unsupportedIssue(method: AuthMethod, { isCustom }: ProviderDefinition): Issue {
  if (!isCustom) return issue('auth_methods', `this provider does not take ${method}`);
  const needed = method === 'oauth' ? 'an authorization_url and a token_url' : 'a token_url';
  return issue('custom_provider', `needs ${needed} for ${method}`);
}

function credentialIssues(
  { credentialsType, clientId, clientSecretLastFour }: IntegrationParts,
  { oauth }: ProviderDefinition,
): Issue[] {
  if (credentialsType === undefined) return [issue('credentials', 'are required for oauth')];
  if (credentialsType === 'organization') {
    return clientId === undefined
      ? []
      : [issue('credentials.client_id', 'is configured by each organization when the type is organization')];
  }
  return [
    ...(clientId === undefined ? [issue('credentials.client_id', 'is required for the type custom')] : []),
    ...(clientSecretLastFour === undefined && oauth?.clientSecretRequired !== false
      ? [issue('credentials.client_secret', 'is required for the type custom')]
      : []),
  ];
}

function scopeIssues({ scopes }: IntegrationParts, { oauth }: ProviderDefinition): Issue[] {
  const requested = scopes ?? oauth?.scopes ?? [];
  return oauth?.scopesRequired === true && requested.length === 0
    ? [issue('scopes', 'must name at least one scope for this provider')]
    : [];
}

/**
 * Reports whether an integration can work: an update of its custom provider may have removed a member that it needs.
 */
export const integrationState = (
  parts: IntegrationParts,
  definition: ProviderDefinition | undefined,
): 'valid' | 'invalid' =>
  definition !== undefined && integrationIssues(parts, definition).length === 0 ? 'valid' : 'invalid';

/** The requested scopes: the organization's own, otherwise the integration's, otherwise the provider's. */
export const requestedScopes = (
  definition: ProviderDefinition,
  method: AuthMethod,
  ...layers: readonly (readonly string[] | undefined)[]
): string[] => {
  const own = method === 'oauth' ? definition.oauth?.scopes : definition.clientCredentials?.scopes;
  return [...(layers.find((layer) => layer !== undefined) ?? own ?? [])];
};

/** The requested scopes that were not granted. */
export const missingScopes = (requested: readonly string[], granted: readonly string[]): string[] =>
  requested.filter((scope) => !granted.includes(scope));
