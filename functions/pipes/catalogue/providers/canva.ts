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
    scopeSeparator: ' ',
    scopesRequired: true,
    authorizationParameters: {},
    pkce: true,
    clientSecretRequired: true,
    authenticateVia: 'basic_auth_header',
    tokenBody: 'application/x-www-form-urlencoded',
    refresh: 'rotating',
  },
  config: [],
  account: {
    from: 'request',
    url: 'https://api.canva.com/rest/v1/users/me',
    identifier: 'team_user.user_id',
  },
};
