import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'gusto',
  name: 'Gusto',
  documentation: 'https://docs.gusto.com/app-integrations/docs/oauth2',
  authMethods: ['oauth'],
  oauth: {
    authorizationUrl: 'https://api.gusto.com/oauth/authorize',
    tokenUrl: 'https://api.gusto.com/oauth/token',
    refresh: 'rotating',
  },
  account: {
    from: 'request',
    url: 'https://api.gusto.com/v1/me',
    identifier: ['uuid', 'email'],
    displayName: 'email',
  },
};
