import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'notion',
  name: 'Notion',
  documentation: 'https://developers.notion.com/docs/authorization',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://api.notion.com/v1/oauth/authorize',
    tokenUrl: 'https://api.notion.com/v1/oauth/token',
    authorizationParameters: {
      owner: 'user',
    },
    authenticateVia: 'basic_auth_header',
    tokenBody: 'application/json',
    refresh: 'rotating',
  },
  account: {
    from: 'token',
    identifier: 'workspace_id',
    displayName: 'workspace_name',
  },
};
