import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'zendesk',
  name: 'Zendesk',
  documentation:
    'https://developer.zendesk.com/documentation/api-basics/authentication/using-oauth-to-authenticate-zendesk-api-requests-in-a-web-app/',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://{subdomain}.zendesk.com/oauth/authorizations/new',
    tokenUrl: 'https://{subdomain}.zendesk.com/oauth/tokens',
    scopes: ['read'],
    scopesRequired: true,
    pkce: true,
    tokenBody: 'application/json',
    refresh: 'rotating',
  },
  config: [
    {
      name: 'subdomain',
      label: 'Subdomain',
      scope: 'installation',
      requiredFor: ['oauth'],
      pattern: '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?',
    },
  ],
  account: {
    from: 'request',
    url: 'https://{subdomain}.zendesk.com/api/v2/users/me.json',
    identifier: 'user.id',
    displayName: 'user.name',
  },
};
