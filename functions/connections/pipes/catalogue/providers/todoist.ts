import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'todoist',
  name: 'Todoist',
  documentation: 'https://developer.todoist.com/guides/#oauth',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://todoist.com/oauth/authorize',
    tokenUrl: 'https://todoist.com/oauth/access_token',
    scopes: ['data:read'],
    scopeSeparator: ',',
    scopesRequired: true,
  },
};
