import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'strava',
  name: 'Strava',
  documentation: 'https://developers.strava.com/docs/authentication/',
  authMethods: ['oauth'],
  oauth: {
    authorizationUrl: 'https://www.strava.com/oauth/authorize',
    tokenUrl: 'https://www.strava.com/oauth/token',
    scopes: ['read'],
    scopeSeparator: ',',
    scopesRequired: true,
    authorizationParameters: {},
    pkce: false,
    clientSecretRequired: true,
    authenticateVia: 'request_body',
    tokenBody: 'application/x-www-form-urlencoded',
    refresh: 'rotating',
  },
  config: [],
  account: {
    from: 'token',
    identifier: 'athlete.id',
    displayName: 'athlete.username',
  },
};
