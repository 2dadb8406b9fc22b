import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'outreach',
  name: 'Outreach',
  documentation: 'https://developers.outreach.io/api/oauth/',
  authMethods: ['oauth'],
  oauth: {
    authorizationUrl: 'https://api.outreach.io/oauth/authorize',
    tokenUrl: 'https://api.outreach.io/oauth/token',
    scopes: ['users.read'],
    scopesRequired: true,
    refresh: 'rotating',
  },
};
