import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'canva',
  name: 'Canva',
  documentation: 'https://www.canva.dev/docs/connect/authentication/',
  authMethods: ['oauth'],
  oauth: {
    authorizationUrl: 'https://www.canva.com/api/oauth/authorize',
    tokenUrl: 'https://api.canva.com/rest/v1/oauth/token',
    scopes: ['profile:read'],
    scopesRequired: true,
    pkce: true,
    authenticateVia: 'basic_auth_header',
    refresh: 'rotating',
  },
  account: {
    from: 'request',
    url: 'https://api.canva.com/rest/v1/users/me',
    identifier: 'team_user.user_id',
  },
};
