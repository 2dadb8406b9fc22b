import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'webex',
  name: 'Webex',
  documentation: 'https://developer.webex.com/docs/integrations',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://webexapis.com/v1/authorize',
    tokenUrl: 'https://webexapis.com/v1/access_token',
    scopes: ['spark:people_read'],
    scopeSeparator: ' ',
    scopesRequired: true,
    authorizationParameters: {},
    pkce: true,
    clientSecretRequired: true,
    authenticateVia: 'request_body',
    tokenBody: 'application/x-www-form-urlencoded',
    refresh: 'kept',
  },
  config: [],
  account: {
    from: 'request',
    url: 'https://webexapis.com/v1/people/me',
    identifier: 'id',
    displayName: 'displayName',
  },
};
