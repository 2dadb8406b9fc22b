import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'hubspot',
  name: 'HubSpot',
  documentation: 'https://developers.hubspot.com/docs/api/oauth-quickstart-guide',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://app.hubspot.com/oauth/authorize',
    tokenUrl: 'https://api.hubapi.com/oauth/v1/token',
    scopes: ['oauth'],
    scopesRequired: true,
    refresh: 'kept',
    errorAliases: {
      BAD_REFRESH_TOKEN: 'invalid_grant',
      BAD_AUTH_CODE: 'invalid_grant',
      BAD_CLIENT_SECRET: 'invalid_client',
    },
  },
  account: {
    from: 'request',
    url: 'https://api.hubapi.com/account-info/v3/details',
    identifier: 'portalId',
    displayName: 'uiDomain',
  },
};
