import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'github',
  name: 'GitHub',
  documentation: 'https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://github.com/login/oauth/authorize',
    tokenUrl: 'https://github.com/login/oauth/access_token',
    scopes: ['read:user', 'user:email'],
    pkce: true,
    refresh: 'rotating',
    errorAliases: {
      bad_verification_code: 'invalid_grant',
      bad_refresh_token: 'invalid_grant',
      incorrect_client_credentials: 'invalid_client',
    },
  },
  account: {
    from: 'request',
    url: 'https://api.github.com/user',
    identifier: 'id',
    displayName: 'login',
  },
};
