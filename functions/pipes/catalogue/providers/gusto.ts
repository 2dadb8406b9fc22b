import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'gusto',
  name: 'Gusto',
  documentation: 'https://docs.gusto.com/app-integrations/docs/oauth2',
  authMethods: ['oauth'],
  oauth: {
    authorizationUrl: 'https://api.gusto.com/oauth/authorize',
    tokenUrl: 'https://api.gusto.com/oauth/token',
    scopes: [],
    scopeSeparator: ' ',
    authorizationParameters: {},
    pkce: false,
    clientSecretRequired: true,
    authenticateVia: 'request_body',
    tokenBody: 'application/x-www-form-urlencoded',
    refresh: 'rotating',
  },
  config: [],
  account: {
    from: 'request',
    url: 'https://api.gusto.com/v1/me',
    identifier: ['uuid', 'email'],
    displayName: 'email',
  },
};
