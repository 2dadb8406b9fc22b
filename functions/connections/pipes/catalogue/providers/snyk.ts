import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'snyk',
  name: 'Snyk',
  documentation: 'https://docs.snyk.io/snyk-api/snyk-apps',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://app.snyk.io/oauth2/authorize',
    tokenUrl: 'https://api.snyk.io/oauth2/token',
    scopes: ['org.read'],
    scopesRequired: true,
    pkce: true,
    refresh: 'rotating',
  },
};
