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
    scopeSeparator: ' ',
    scopesRequired: true,
    authorizationParameters: {},
    pkce: true,
    clientSecretRequired: true,
    authenticateVia: 'request_body',
    tokenBody: 'application/x-www-form-urlencoded',
    refresh: 'rotating',
  },
  config: [],
  account: {
    from: 'request',
    url: 'https://discord.com/api/v10/users/@me',
    identifier: 'id',
    displayName: 'username',
  },
};
