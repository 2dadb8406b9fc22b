import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'bitbucket',
  name: 'Bitbucket',
  documentation: 'https://developer.atlassian.com/cloud/bitbucket/oauth-2/',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://bitbucket.org/site/oauth2/authorize',
    tokenUrl: 'https://bitbucket.org/site/oauth2/access_token',
    scopes: ['account'],
    authenticateVia: 'basic_auth_header',
    refresh: 'kept',
  },
  account: {
    from: 'request',
    url: 'https://api.bitbucket.org/2.0/user',
    identifier: 'uuid',
    displayName: 'display_name',
  },
};
