import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'facebook',
  name: 'Facebook',
  documentation: 'https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow',
  authMethods: ['oauth'],
  oauth: {
    authorizationUrl: 'https://www.facebook.com/v21.0/dialog/oauth',
    tokenUrl: 'https://graph.facebook.com/v21.0/oauth/access_token',
    scopes: ['public_profile'],
    scopeSeparator: ',',
  },
  account: {
    from: 'request',
    url: 'https://graph.facebook.com/v21.0/me',
    identifier: 'id',
    displayName: 'name',
  },
};
