import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'gmail',
  name: 'Gmail',
  documentation: 'https://developers.google.com/identity/protocols/oauth2/web-server',
  authMethods: ['oauth'],
  oauth: {
    authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    issuer: 'https://accounts.google.com',
    scopes: ['openid', 'email', 'https://www.googleapis.com/auth/gmail.readonly'],
    scopeSeparator: ' ',
    authorizationParameters: {
      access_type: 'offline',
      prompt: 'consent',
    },
    pkce: true,
    clientSecretRequired: true,
    authenticateVia: 'request_body',
    tokenBody: 'application/x-www-form-urlencoded',
    refresh: 'kept',
  },
  config: [],
  account: {
    from: 'request',
    url: 'https://openidconnect.googleapis.com/v1/userinfo',
    identifier: 'sub',
    displayName: 'email',
  },
};
