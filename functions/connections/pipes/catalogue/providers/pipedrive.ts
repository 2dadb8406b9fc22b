import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'pipedrive',
  name: 'Pipedrive',
  documentation: 'https://pipedrive.readme.io/docs/marketplace-oauth-authorization',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://oauth.pipedrive.com/oauth/authorize',
    tokenUrl: 'https://oauth.pipedrive.com/oauth/token',
    authenticateVia: 'basic_auth_header',
    refresh: 'kept',
  },
  account: {
    from: 'request',
    url: 'https://api.pipedrive.com/v1/users/me',
    identifier: 'data.company_id',
    displayName: 'data.company_name',
  },
};
