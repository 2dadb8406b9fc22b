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
    scopeSeparator: ' ',
    scopesRequired: true,
    authorizationParameters: {},
    pkce: false,
    clientSecretRequired: true,
    authenticateVia: 'basic_auth_header',
    tokenBody: 'application/x-www-form-urlencoded',
    refresh: 'rotating',
  },
  config: [],
  account: {
    from: 'token',
    identifier: 'api_base_url_for_customer',
  },
};
