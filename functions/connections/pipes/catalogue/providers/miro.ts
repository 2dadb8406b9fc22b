import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'miro',
  name: 'Miro',
  documentation: 'https://developers.miro.com/docs/getting-started-with-oauth',
  authMethods: ['oauth'],
  oauth: {
    authorizationUrl: 'https://miro.com/oauth/authorize',
    tokenUrl: 'https://api.miro.com/v1/oauth/token',
    refresh: 'rotating',
  },
  account: {
    from: 'token',
    identifier: 'team_id',
  },
};
