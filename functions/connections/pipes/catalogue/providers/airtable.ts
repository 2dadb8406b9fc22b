import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'airtable',
  name: 'Airtable',
  documentation: 'https://airtable.com/developers/web/api/oauth-reference',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://airtable.com/oauth2/v1/authorize',
    tokenUrl: 'https://airtable.com/oauth2/v1/token',
    scopes: ['data.records:read', 'schema.bases:read', 'user.email:read'],
    scopesRequired: true,
    pkce: true,
    clientSecretRequired: false,
    authenticateVia: 'basic_auth_header',
    refresh: 'rotating',
  },
  account: {
    from: 'request',
    url: 'https://api.airtable.com/v0/meta/whoami',
    identifier: 'id',
    displayName: 'email',
  },
};
