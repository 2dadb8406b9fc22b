import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'clickup',
  name: 'ClickUp',
  documentation: 'https://developer.clickup.com/docs/authentication',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://app.clickup.com/api',
    tokenUrl: 'https://api.clickup.com/api/v2/oauth/token',
  },
  account: {
    from: 'request',
    url: 'https://api.clickup.com/api/v2/user',
    identifier: 'user.id',
    displayName: 'user.username',
  },
};
