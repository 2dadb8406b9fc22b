import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'okta',
  name: 'Okta',
  documentation: 'https://developer.okta.com/docs/reference/api/oidc/',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://{subdomain}.okta.com/oauth2/v1/authorize',
    tokenUrl: 'https://{subdomain}.okta.com/oauth2/v1/token',
    issuer: 'https://{subdomain}.okta.com',
    scopes: ['openid', 'profile', 'offline_access'],
    scopesRequired: true,
    pkce: true,
    authenticateVia: 'basic_auth_header',
    refresh: 'rotating',
  },
  config: [
    {
      name: 'subdomain',
      label: 'Subdomain: the name before .okta.com',
      scope: 'installation',
      requiredFor: ['oauth'],
      pattern: '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?',
    },
  ],
  account: {
    from: 'request',
    url: 'https://{subdomain}.okta.com/oauth2/v1/userinfo',
    identifier: 'sub',
    displayName: 'preferred_username',
  },
};
