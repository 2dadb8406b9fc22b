import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'netlify',
  name: 'Netlify',
  documentation: 'https://docs.netlify.com/api/get-started/#authentication',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://app.netlify.com/authorize',
    tokenUrl: 'https://api.netlify.com/oauth/token',
  },
  account: {
    from: 'request',
    url: 'https://api.netlify.com/api/v1/user',
    identifier: 'id',
    displayName: 'full_name',
  },
};
