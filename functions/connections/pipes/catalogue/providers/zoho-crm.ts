import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'zoho-crm',
  name: 'Zoho CRM',
  documentation: 'https://www.zoho.com/crm/developer/docs/api/v7/oauth-overview.html',
  authMethods: ['oauth'],
  oauth: {
    authorizationUrl: 'https://accounts.zoho.{region}/oauth/v2/auth',
    tokenUrl: 'https://accounts.zoho.{region}/oauth/v2/token',
    scopes: ['ZohoCRM.users.READ'],
    scopeSeparator: ',',
    scopesRequired: true,
    authorizationParameters: {
      access_type: 'offline',
      prompt: 'consent',
    },
    refresh: 'kept',
    errorAliases: {
      invalid_code: 'invalid_grant',
      invalid_client_secret: 'invalid_client',
    },
  },
  config: [
    {
      name: 'region',
      label: 'Data center',
      scope: 'installation',
      requiredFor: [],
      values: ['com', 'eu', 'in', 'com.au', 'jp', 'com.cn', 'sa'],
      fallback: 'com',
    },
  ],
};
