import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'databricks',
  name: 'Databricks',
  documentation: 'https://docs.databricks.com/aws/en/dev-tools/auth/oauth-u2m',
  authMethods: ['oauth', 'api_key', 'client_credentials'],
  oauth: {
    authorizationUrl: 'https://{workspace}.cloud.databricks.com/oidc/v1/authorize',
    tokenUrl: 'https://{workspace}.cloud.databricks.com/oidc/v1/token',
    scopes: ['all-apis', 'offline_access'],
    pkce: true,
    authenticateVia: 'basic_auth_header',
    refresh: 'rotating',
  },
  clientCredentials: {
    tokenUrl: 'https://{workspace}.cloud.databricks.com/oidc/v1/token',
    scopes: ['all-apis'],
    authenticateVia: 'basic_auth_header',
  },
  config: [
    {
      name: 'workspace',
      label: 'Workspace: the name before .cloud.databricks.com',
      scope: 'installation',
      requiredFor: ['oauth', 'client_credentials'],
      pattern: '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?',
    },
  ],
  account: {
    from: 'config',
    identifier: 'workspace',
  },
};
