import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'intercom',
  name: 'Intercom',
  documentation: 'https://developers.intercom.com/docs/build-an-integration/learn-more/authentication/setting-up-oauth',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://app.intercom.com/oauth',
    tokenUrl: 'https://api.intercom.io/auth/eagle/token',
  },
  account: {
    from: 'request',
    url: 'https://api.intercom.io/me',
    identifier: 'app.id_code',
    displayName: 'app.name',
  },
};
