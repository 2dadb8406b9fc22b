import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'huggingface',
  name: 'Hugging Face',
  documentation: 'https://huggingface.co/docs/hub/oauth',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://huggingface.co/oauth/authorize',
    tokenUrl: 'https://huggingface.co/oauth/token',
    scopes: ['openid', 'profile'],
    scopesRequired: true,
    pkce: true,
    authenticateVia: 'basic_auth_header',
  },
  account: {
    from: 'request',
    url: 'https://huggingface.co/oauth/userinfo',
    identifier: 'sub',
    displayName: 'preferred_username',
  },
};
