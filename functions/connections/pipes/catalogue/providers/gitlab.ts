import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'gitlab',
  name: 'GitLab',
  documentation: 'https://docs.gitlab.com/api/oauth2/',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://gitlab.com/oauth/authorize',
    tokenUrl: 'https://gitlab.com/oauth/token',
    scopes: ['read_user'],
    pkce: true,
    refresh: 'rotating',
  },
  account: {
    from: 'request',
    url: 'https://gitlab.com/api/v4/user',
    identifier: 'id',
    displayName: 'username',
  },
};
