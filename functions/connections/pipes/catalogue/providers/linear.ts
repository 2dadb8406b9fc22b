import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'linear',
  name: 'Linear',
  documentation: 'https://linear.app/developers/oauth-2-0-authentication',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://linear.app/oauth/authorize',
    tokenUrl: 'https://api.linear.app/oauth/token',
    scopes: ['read'],
    scopeSeparator: ',',
    pkce: true,
    refresh: 'rotating',
  },
  account: {
    from: 'request',
    url: 'https://api.linear.app/graphql',
    method: 'POST',
    headers: {
      'content-type': 'application/json',
    },
    body: '{"query":"{ viewer { id name } }"}',
    identifier: 'data.viewer.id',
    displayName: 'data.viewer.name',
  },
};
