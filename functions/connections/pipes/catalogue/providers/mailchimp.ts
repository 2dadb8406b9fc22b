import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'mailchimp',
  name: 'Mailchimp',
  documentation: 'https://mailchimp.com/developer/marketing/guides/access-user-data-oauth-2/',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://login.mailchimp.com/oauth2/authorize',
    tokenUrl: 'https://login.mailchimp.com/oauth2/token',
  },
  account: {
    from: 'request',
    url: 'https://login.mailchimp.com/oauth2/metadata',
    scheme: 'OAuth',
    identifier: 'user_id',
    displayName: 'accountname',
  },
};
