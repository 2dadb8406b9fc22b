import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'linkedin',
  name: 'LinkedIn',
  documentation: 'https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow',
  authMethods: ['oauth'],
  oauth: {
    authorizationUrl: 'https://www.linkedin.com/oauth/v2/authorization',
    tokenUrl: 'https://www.linkedin.com/oauth/v2/accessToken',
    scopes: ['openid', 'profile', 'email'],
    scopesRequired: true,
    refresh: 'kept',
  },
  account: {
    from: 'request',
    url: 'https://api.linkedin.com/v2/userinfo',
    identifier: 'sub',
    displayName: 'name',
  },
};
