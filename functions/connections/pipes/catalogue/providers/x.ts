import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'x',
  name: 'X',
  documentation: 'https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code',
  authMethods: ['oauth'],
  oauth: {
    authorizationUrl: 'https://x.com/i/oauth2/authorize',
    tokenUrl: 'https://api.x.com/2/oauth2/token',
    scopes: ['tweet.read', 'users.read', 'offline.access'],
    scopesRequired: true,
    pkce: true,
    authenticateVia: 'basic_auth_header',
    refresh: 'rotating',
  },
  account: {
    from: 'request',
    url: 'https://api.x.com/2/users/me',
    identifier: 'data.id',
    displayName: 'data.username',
  },
};
