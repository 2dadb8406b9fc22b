import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'twitch',
  name: 'Twitch',
  documentation: 'https://dev.twitch.tv/docs/authentication/getting-tokens-oauth/',
  authMethods: ['oauth', 'client_credentials'],
  oauth: {
    authorizationUrl: 'https://id.twitch.tv/oauth2/authorize',
    tokenUrl: 'https://id.twitch.tv/oauth2/token',
    scopes: ['user:read:email'],
    refresh: 'rotating',
  },
  clientCredentials: {
    tokenUrl: 'https://id.twitch.tv/oauth2/token',
  },
  account: {
    from: 'request',
    url: 'https://id.twitch.tv/oauth2/validate',
    scheme: 'OAuth',
    identifier: 'user_id',
    displayName: 'login',
  },
};
