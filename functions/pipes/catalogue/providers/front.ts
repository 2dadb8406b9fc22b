import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'front',
  name: 'Front',
  documentation: 'https://dev.frontapp.com/docs/oauth',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://app.frontapp.com/oauth/authorize',
    tokenUrl: 'https://app.frontapp.com/oauth/token',
    scopes: [],
    scopeSeparator: ' ',
    authorizationParameters: {},
    pkce: false,
    clientSecretRequired: true,
    authenticateVia: 'basic_auth_header',
    tokenBody: 'application/x-www-form-urlencoded',
    refresh: 'rotating',
  },
  config: [],
  account: {
    from: 'request',
    url: 'https://api2.frontapp.com/me',
    identifier: 'id',
    displayName: 'name',
  },
};
