import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'salesforce',
  name: 'Salesforce',
  documentation: 'https://help.salesforce.com/s/articleView?id=sf.remoteaccess_oauth_web_server_flow.htm',
  authMethods: ['oauth', 'client_credentials'],
  oauth: {
    authorizationUrl: 'https://{login_host}.salesforce.com/services/oauth2/authorize',
    tokenUrl: 'https://{login_host}.salesforce.com/services/oauth2/token',
    scopes: ['api', 'refresh_token'],
    pkce: true,
    refresh: 'kept',
    assumedLifetimeSeconds: 3600,
  },
  clientCredentials: {
    tokenUrl: 'https://{login_host}.salesforce.com/services/oauth2/token',
    assumedLifetimeSeconds: 3600,
  },
  config: [
    {
      name: 'login_host',
      label: 'Host before .salesforce.com: login, test or a My Domain such as acme.my',
      scope: 'installation',
      requiredFor: ['client_credentials'],
      pattern: '(login|test|[a-z0-9][a-z0-9-]{0,60}(\\.sandbox|\\.develop|\\.scratch)?\\.my)',
      fallback: 'login',
    },
  ],
  account: {
    from: 'token',
    identifier: 'id',
    displayName: 'instance_url',
  },
};
