import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'snowflake',
  name: 'Snowflake',
  documentation: 'https://docs.snowflake.com/en/user-guide/oauth-custom',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://{account}.snowflakecomputing.com/oauth/authorize',
    tokenUrl: 'https://{account}.snowflakecomputing.com/oauth/token-request',
    scopes: ['refresh_token'],
    pkce: true,
    authenticateVia: 'basic_auth_header',
    refresh: 'kept',
  },
  config: [
    {
      name: 'account',
      label: 'Account identifier, such as myorg-myaccount',
      scope: 'installation',
      requiredFor: ['oauth'],
      pattern: '[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?){0,3}',
    },
  ],
  account: {
    from: 'token',
    identifier: 'username',
  },
};
