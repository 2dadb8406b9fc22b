import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'reddit',
  name: 'Reddit',
  documentation: 'https://github.com/reddit-archive/reddit/wiki/OAuth2',
  authMethods: ['oauth'],
  oauth: {
    authorizationUrl: 'https://www.reddit.com/api/v1/authorize',
    tokenUrl: 'https://www.reddit.com/api/v1/access_token',
    scopes: ['identity'],
    scopesRequired: true,
    authorizationParameters: {
      duration: 'permanent',
    },
    authenticateVia: 'basic_auth_header',
    refresh: 'kept',
  },
  account: {
    from: 'request',
    url: 'https://oauth.reddit.com/api/v1/me',
    identifier: 'id',
    displayName: 'name',
  },
};
