import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'spotify',
  name: 'Spotify',
  documentation: 'https://developer.spotify.com/documentation/web-api/tutorials/code-flow',
  authMethods: ['oauth', 'client_credentials'],
  oauth: {
    authorizationUrl: 'https://accounts.spotify.com/authorize',
    tokenUrl: 'https://accounts.spotify.com/api/token',
    scopes: ['user-read-private'],
    pkce: true,
    authenticateVia: 'basic_auth_header',
    refresh: 'kept',
  },
  clientCredentials: {
    tokenUrl: 'https://accounts.spotify.com/api/token',
    authenticateVia: 'basic_auth_header',
  },
  account: {
    from: 'request',
    url: 'https://api.spotify.com/v1/me',
    identifier: 'id',
    displayName: 'display_name',
  },
};
