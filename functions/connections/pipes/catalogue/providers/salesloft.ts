import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'salesloft',
  name: 'Salesloft',
  documentation: 'https://developers.salesloft.com/docs/platform/api-basics/oauth-authentication/',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://accounts.salesloft.com/oauth/authorize',
    tokenUrl: 'https://accounts.salesloft.com/oauth/token',
    refresh: 'rotating',
  },
  account: {
    from: 'request',
    url: 'https://api.salesloft.com/v2/me',
    identifier: 'data.id',
    displayName: 'data.name',
  },
};
