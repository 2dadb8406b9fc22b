import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'microsoft-onedrive',
  name: 'Microsoft OneDrive',
  documentation: 'https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow',
  authMethods: ['oauth', 'client_credentials'],
  oauth: {
    authorizationUrl: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/authorize',
    tokenUrl: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token',
    scopes: ['offline_access', 'User.Read', 'Files.Read'],
    scopeSeparator: ' ',
    authorizationParameters: {},
    pkce: true,
    clientSecretRequired: true,
    authenticateVia: 'request_body',
    tokenBody: 'application/x-www-form-urlencoded',
    refresh: 'rotating',
  },
  clientCredentials: {
    tokenUrl: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token',
    scopes: ['https://graph.microsoft.com/.default'],
    scopeSeparator: ' ',
    parameters: {},
    authenticateVia: 'request_body',
    tokenBody: 'application/x-www-form-urlencoded',
  },
  config: [
    {
      name: 'tenant',
      label: 'Tenant',
      scope: 'installation',
      requiredFor: ['client_credentials'],
      pattern: '[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?',
      fallback: 'common',
    },
  ],
  account: {
    from: 'request',
    url: 'https://graph.microsoft.com/v1.0/me',
    identifier: 'id',
    displayName: 'userPrincipalName',
  },
};
