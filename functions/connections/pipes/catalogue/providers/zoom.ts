import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'zoom',
  name: 'Zoom',
  documentation: 'https://developers.zoom.us/docs/integrations/oauth/',
  authMethods: ['oauth'],
  oauth: {
    authorizationUrl: 'https://zoom.us/oauth/authorize',
    tokenUrl: 'https://zoom.us/oauth/token',
    scopes: ['user:read:user'],
    pkce: true,
    authenticateVia: 'basic_auth_header',
    refresh: 'rotating',
  },
  account: {
    from: 'request',
    url: 'https://api.zoom.us/v2/users/me',
    identifier: 'id',
    displayName: 'email',
  },
};
