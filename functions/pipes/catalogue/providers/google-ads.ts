import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'google-ads',
  name: 'Google Ads',
  documentation: 'https://developers.google.com/google-ads/api/docs/oauth/overview',
  authMethods: ['oauth'],
  oauth: {
    authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    issuer: 'https://accounts.google.com',
    scopes: ['openid', 'email', 'https://www.googleapis.com/auth/adwords'],
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
  config: [
    {
      name: 'developer_token',
      label: 'Developer token of your manager account',
      scope: 'integration',
      requiredFor: [],
      secret: true,
      pattern: '[A-Za-z0-9_-]{10,64}',
    },
  ],
  account: {
    from: 'request',
    url: 'https://openidconnect.googleapis.com/v1/userinfo',
    identifier: 'sub',
    displayName: 'email',
  },
};
