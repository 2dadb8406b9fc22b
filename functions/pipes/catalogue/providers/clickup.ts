import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'clickup',
  name: 'ClickUp',
  documentation: 'https://developer.clickup.com/docs/authentication',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://app.clickup.com/api',
    tokenUrl: 'https://api.clickup.com/api/v2/oauth/token',
    scopes: [],
    scopeSeparator: ' ',
    authorizationParameters: {},
    pkce: false,
    clientSecretRequired: true,
    authenticateVia: 'request_body',
    tokenBody: 'application/x-www-form-urlencoded',
    refresh: 'none',
  },
  config: [],
  account: {
    from: 'request',
    url: 'https://api.clickup.com/api/v2/user',
    identifier: 'user.id',
    displayName: 'user.username',
  },
};
