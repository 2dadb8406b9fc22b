import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'wrike',
  name: 'Wrike',
  documentation: 'https://developers.wrike.com/oauth-20-authorization/',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://login.wrike.com/oauth2/authorize/v4',
    tokenUrl: 'https://login.wrike.com/oauth2/token',
    scopes: ['wsReadOnly'],
    scopeSeparator: ',',
    refresh: 'rotating',
  },
};
