import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'asana',
  name: 'Asana',
  documentation: 'https://developers.asana.com/docs/oauth',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://app.asana.com/-/oauth_authorize',
    tokenUrl: 'https://app.asana.com/-/oauth_token',
    scopes: ['default'],
    pkce: true,
    refresh: 'kept',
  },
  account: {
    from: 'token',
    identifier: 'data.gid',
    displayName: 'data.name',
  },
};
