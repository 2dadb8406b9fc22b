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
    scopesRequired: true,
    pkce: true,
    refresh: 'kept',
  },
  account: {
    from: 'request',
    url: 'https://webexapis.com/v1/people/me',
    identifier: 'id',
    displayName: 'displayName',
  },
};
