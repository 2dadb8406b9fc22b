import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'figma',
  name: 'Figma',
  documentation: 'https://developers.figma.com/docs/rest-api/authentication/',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://www.figma.com/oauth',
    tokenUrl: 'https://api.figma.com/v1/oauth/token',
    refreshUrl: 'https://api.figma.com/v1/oauth/refresh',
    scopes: ['current_user:read', 'file_content:read'],
    scopesRequired: true,
    pkce: true,
    authenticateVia: 'basic_auth_header',
    refresh: 'kept',
  },
  account: {
    from: 'request',
    url: 'https://api.figma.com/v1/me',
    identifier: 'id',
    displayName: 'handle',
  },
};
