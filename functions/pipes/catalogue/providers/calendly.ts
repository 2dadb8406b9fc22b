import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'calendly',
  name: 'Calendly',
  documentation: 'https://developer.calendly.com/how-to-authenticate-with-oauth',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://auth.calendly.com/oauth/authorize',
    tokenUrl: 'https://auth.calendly.com/oauth/token',
    scopes: [],
    scopeSeparator: ' ',
    authorizationParameters: {},
    pkce: true,
    clientSecretRequired: true,
    authenticateVia: 'basic_auth_header',
    tokenBody: 'application/x-www-form-urlencoded',
    refresh: 'rotating',
  },
  config: [],
  account: {
    from: 'request',
    url: 'https://api.calendly.com/users/me',
    identifier: 'resource.uri',
    displayName: 'resource.name',
  },
};
