import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'docusign',
  name: 'Docusign',
  documentation: 'https://developers.docusign.com/platform/auth/confidential-authcode-get-token/',
  authMethods: ['oauth'],
  oauth: {
    authorizationUrl: 'https://account.docusign.com/oauth/auth',
    tokenUrl: 'https://account.docusign.com/oauth/token',
    scopes: ['signature'],
    scopesRequired: true,
    pkce: true,
    authenticateVia: 'basic_auth_header',
    refresh: 'rotating',
  },
  account: {
    from: 'request',
    url: 'https://account.docusign.com/oauth/userinfo',
    identifier: 'sub',
    displayName: 'name',
  },
};
