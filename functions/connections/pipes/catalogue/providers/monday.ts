import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'monday',
  name: 'monday.com',
  documentation: 'https://developer.monday.com/apps/docs/oauth',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://auth.monday.com/oauth2/authorize',
    tokenUrl: 'https://auth.monday.com/oauth2/token',
    scopes: ['me:read', 'boards:read'],
  },
  account: {
    from: 'request',
    url: 'https://api.monday.com/v2',
    method: 'POST',
    headers: {
      'content-type': 'application/json',
    },
    body: '{"query":"{ me { id name } }"}',
    identifier: 'data.me.id',
    displayName: 'data.me.name',
  },
};
