import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'pagerduty',
  name: 'PagerDuty',
  documentation: 'https://developer.pagerduty.com/docs/app-oauth-token',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://identity.pagerduty.com/oauth/authorize',
    tokenUrl: 'https://identity.pagerduty.com/oauth/token',
    scopes: ['openid', 'users.read'],
    scopesRequired: true,
    pkce: true,
    refresh: 'rotating',
  },
  account: {
    from: 'request',
    url: 'https://api.pagerduty.com/users/me',
    identifier: 'user.id',
    displayName: 'user.name',
  },
};
