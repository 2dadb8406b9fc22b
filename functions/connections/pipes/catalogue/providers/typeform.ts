import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'typeform',
  name: 'Typeform',
  documentation: 'https://www.typeform.com/developers/get-started/applications/',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://api.typeform.com/oauth/authorize',
    tokenUrl: 'https://api.typeform.com/oauth/token',
    scopes: ['offline', 'accounts:read', 'forms:read'],
    scopesRequired: true,
    refresh: 'rotating',
  },
  account: {
    from: 'request',
    url: 'https://api.typeform.com/me',
    identifier: ['user_id', 'email'],
    displayName: 'alias',
  },
};
