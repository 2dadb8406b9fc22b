import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'xero',
  name: 'Xero',
  documentation: 'https://developer.xero.com/documentation/guides/oauth2/auth-flow/',
  authMethods: ['oauth', 'client_credentials'],
  oauth: {
    authorizationUrl: 'https://login.xero.com/identity/connect/authorize',
    tokenUrl: 'https://identity.xero.com/connect/token',
    issuer: 'https://identity.xero.com',
    scopes: ['offline_access', 'accounting.settings.read'],
    pkce: true,
    authenticateVia: 'basic_auth_header',
    refresh: 'rotating',
  },
  clientCredentials: {
    tokenUrl: 'https://identity.xero.com/connect/token',
    scopes: ['accounting.settings.read'],
    authenticateVia: 'basic_auth_header',
  },
  account: {
    from: 'request',
    url: 'https://api.xero.com/connections',
    identifier: '0.tenantId',
    displayName: '0.tenantName',
  },
};
