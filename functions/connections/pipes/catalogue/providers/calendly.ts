import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'calendly',
  name: 'Calendly',
  documentation: 'https://developer.calendly.com/how-to-authenticate-with-oauth',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://auth.calendly.com/oauth/authorize',
    tokenUrl: 'https://auth.calendly.com/oauth/token',
    pkce: true,
    authenticateVia: 'basic_auth_header',
    refresh: 'rotating',
  },
  account: {
    from: 'request',
    url: 'https://api.calendly.com/users/me',
    identifier: 'resource.uri',
    displayName: 'resource.name',
  },
};
