import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'jira',
  name: 'Jira',
  documentation: 'https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://auth.atlassian.com/authorize',
    tokenUrl: 'https://auth.atlassian.com/oauth/token',
    scopes: ['offline_access', 'read:jira-user', 'read:jira-work'],
    scopeSeparator: ' ',
    authorizationParameters: {
      audience: 'api.atlassian.com',
      prompt: 'consent',
    },
    pkce: false,
    clientSecretRequired: true,
    authenticateVia: 'request_body',
    tokenBody: 'application/x-www-form-urlencoded',
    refresh: 'rotating',
    errorAliases: {
      unauthorized_client: 'invalid_grant',
    },
  },
  config: [],
  account: {
    from: 'request',
    url: 'https://api.atlassian.com/oauth/token/accessible-resources',
    identifier: '0.id',
    displayName: '0.name',
  },
};
