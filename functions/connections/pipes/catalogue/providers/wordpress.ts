import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'wordpress',
  name: 'WordPress.com',
  documentation: 'https://developer.wordpress.com/docs/oauth2/',
  authMethods: ['oauth'],
  oauth: {
    authorizationUrl: 'https://public-api.wordpress.com/oauth2/authorize',
    tokenUrl: 'https://public-api.wordpress.com/oauth2/token',
  },
  account: {
    from: 'token',
    identifier: 'blog_id',
    displayName: 'blog_url',
  },
};
