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
    refresh: 'rotating',
  },
  account: {
    from: 'token',
    identifier: 'athlete.id',
    displayName: 'athlete.username',
  },
};
