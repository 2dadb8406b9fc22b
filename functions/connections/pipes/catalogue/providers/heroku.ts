import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'heroku',
  name: 'Heroku',
  documentation: 'https://devcenter.heroku.com/articles/oauth',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://id.heroku.com/oauth/authorize',
    tokenUrl: 'https://id.heroku.com/oauth/token',
    scopes: ['identity'],
    refresh: 'kept',
  },
  account: {
    from: 'request',
    url: 'https://api.heroku.com/account',
    headers: {
      accept: 'application/vnd.heroku+json; version=3',
    },
    identifier: 'id',
    displayName: 'email',
  },
};
