import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'webflow',
  name: 'Webflow',
  documentation: 'https://developers.webflow.com/data/reference/oauth-app',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://webflow.com/oauth/authorize',
    tokenUrl: 'https://api.webflow.com/oauth/access_token',
    scopes: ['authorized_user:read', 'sites:read'],
    scopesRequired: true,
  },
  account: {
    from: 'request',
    url: 'https://api.webflow.com/v2/token/authorized_by',
    identifier: 'id',
    displayName: 'email',
  },
};
