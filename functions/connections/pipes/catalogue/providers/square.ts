import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'square',
  name: 'Square',
  documentation: 'https://developer.squareup.com/docs/oauth-api/overview',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://connect.squareup.com/oauth2/authorize',
    tokenUrl: 'https://connect.squareup.com/oauth2/token',
    scopes: ['MERCHANT_PROFILE_READ'],
    scopesRequired: true,
    authorizationParameters: {
      session: 'false',
    },
    tokenBody: 'application/json',
    refresh: 'kept',
  },
  account: {
    from: 'token',
    identifier: 'merchant_id',
  },
};
