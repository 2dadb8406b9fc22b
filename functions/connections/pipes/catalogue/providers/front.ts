import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'front',
  name: 'Front',
  documentation: 'https://dev.frontapp.com/docs/oauth',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://app.frontapp.com/oauth/authorize',
    tokenUrl: 'https://app.frontapp.com/oauth/token',
    authenticateVia: 'basic_auth_header',
    refresh: 'rotating',
  },
  account: {
    from: 'request',
    url: 'https://api2.frontapp.com/me',
    identifier: 'id',
    displayName: 'name',
  },
};
