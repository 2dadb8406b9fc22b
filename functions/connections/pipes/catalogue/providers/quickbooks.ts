import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'quickbooks',
  name: 'QuickBooks',
  documentation:
    'https://developer.intuit.com/app/developer/qbo/docs/develop/authentication-and-authorization/oauth-2.0',
  authMethods: ['oauth'],
  oauth: {
    authorizationUrl: 'https://appcenter.intuit.com/connect/oauth2',
    tokenUrl: 'https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer',
    scopes: ['com.intuit.quickbooks.accounting'],
    scopesRequired: true,
    authenticateVia: 'basic_auth_header',
    refresh: 'rotating',
  },
  account: {
    from: 'callback',
    identifier: 'realmId',
  },
};
