import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'sentry',
  name: 'Sentry',
  documentation: 'https://docs.sentry.io/api/auth/',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://sentry.io/oauth/authorize/',
    tokenUrl: 'https://sentry.io/oauth/token/',
    scopes: ['org:read', 'project:read'],
    refresh: 'rotating',
  },
  account: {
    from: 'token',
    identifier: 'user.id',
    displayName: 'user.name',
  },
};
