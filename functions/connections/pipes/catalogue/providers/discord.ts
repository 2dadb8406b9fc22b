import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'discord',
  name: 'Discord',
  documentation: 'https://discord.com/developers/docs/topics/oauth2',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://discord.com/oauth2/authorize',
    tokenUrl: 'https://discord.com/api/oauth2/token',
    scopes: ['identify'],
    scopesRequired: true,
    pkce: true,
    refresh: 'rotating',
  },
  account: {
    from: 'request',
    url: 'https://discord.com/api/v10/users/@me',
    identifier: 'id',
    displayName: 'username',
  },
};
