import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'smartsheet',
  name: 'Smartsheet',
  documentation: 'https://developers.smartsheet.com/api/smartsheet/guides/advanced-topics/oauth-flow',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://app.smartsheet.com/b/authorize',
    tokenUrl: 'https://api.smartsheet.com/2.0/token',
    scopes: ['READ_SHEETS'],
    scopesRequired: true,
    refresh: 'rotating',
  },
  account: {
    from: 'request',
    url: 'https://api.smartsheet.com/2.0/users/me',
    identifier: 'id',
    displayName: 'email',
  },
};
