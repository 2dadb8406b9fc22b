import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'gong',
  name: 'Gong',
  documentation: 'https://help.gong.io/docs/create-an-app-for-gong',
  authMethods: ['oauth'],
  oauth: {
    authorizationUrl: 'https://app.gong.io/oauth2/authorize',
    tokenUrl: 'https://app.gong.io/oauth2/generate-customer-token',
    scopes: ['api:users:read'],
    scopesRequired: true,
    authenticateVia: 'basic_auth_header',
    refresh: 'rotating',
  },
  account: {
    from: 'token',
    identifier: 'api_base_url_for_customer',
  },
};
