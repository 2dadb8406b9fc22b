import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'servicenow',
  name: 'ServiceNow',
  documentation:
    'https://www.servicenow.com/docs/bundle/zurich-platform-security/page/administer/security/concept/c_OAuthApplications.html',
  authMethods: ['oauth', 'client_credentials'],
  oauth: {
    authorizationUrl: 'https://{instance}.service-now.com/oauth_auth.do',
    tokenUrl: 'https://{instance}.service-now.com/oauth_token.do',
    scopes: ['useraccount'],
    refresh: 'kept',
  },
  clientCredentials: {
    tokenUrl: 'https://{instance}.service-now.com/oauth_token.do',
  },
  config: [
    {
      name: 'instance',
      label: 'Instance: the name before .service-now.com',
      scope: 'installation',
      requiredFor: ['oauth', 'client_credentials'],
      pattern: '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?',
    },
  ],
  account: {
    from: 'config',
    identifier: 'instance',
  },
};
