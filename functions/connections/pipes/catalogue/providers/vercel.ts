import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'vercel',
  name: 'Vercel',
  documentation: 'https://vercel.com/docs/integrations/vercel-api-integrations',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://vercel.com/integrations/{integration_slug}/new',
    tokenUrl: 'https://api.vercel.com/v2/oauth/access_token',
  },
  config: [
    {
      name: 'integration_slug',
      label: 'URL slug of your Vercel integration',
      scope: 'integration',
      requiredFor: ['oauth'],
      pattern: '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?',
    },
  ],
  account: {
    from: 'token',
    identifier: ['team_id', 'user_id'],
  },
};
