import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'slack',
  name: 'Slack',
  documentation: 'https://docs.slack.dev/authentication/installing-with-oauth',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://slack.com/oauth/v2/authorize',
    tokenUrl: 'https://slack.com/api/oauth.v2.access',
    scopes: ['users:read'],
    scopeSeparator: ',',
    scopesRequired: true,
    refresh: 'rotating',
    errorAliases: {
      invalid_code: 'invalid_grant',
      code_already_used: 'invalid_grant',
      invalid_refresh_token: 'invalid_grant',
      token_expired: 'invalid_grant',
      token_revoked: 'invalid_grant',
      bad_client_secret: 'invalid_client',
      invalid_client_id: 'invalid_client',
      ratelimited: 'temporarily_unavailable',
      internal_error: 'temporarily_unavailable',
      fatal_error: 'temporarily_unavailable',
    },
  },
  account: {
    from: 'token',
    identifier: 'team.id',
    displayName: 'team.name',
  },
};
