import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'ramp',
  name: 'Ramp',
  documentation: 'https://docs.ramp.com/developer-api/v1/authorization',
  authMethods: ['oauth', 'client_credentials'],
  oauth: {
    authorizationUrl: 'https://app.ramp.com/v1/authorize',
    tokenUrl: 'https://api.ramp.com/developer/v1/token',
    scopes: ['business:read'],
    scopesRequired: true,
    authenticateVia: 'basic_auth_header',
    refresh: 'rotating',
  },
  clientCredentials: {
    tokenUrl: 'https://api.ramp.com/developer/v1/token',
    scopes: ['business:read'],
    authenticateVia: 'basic_auth_header',
  },
  account: {
    from: 'request',
    url: 'https://api.ramp.com/developer/v1/business',
    identifier: 'id',
    displayName: 'business_name_legal',
  },
};
