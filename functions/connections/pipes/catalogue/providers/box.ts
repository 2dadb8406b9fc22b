import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'box',
  name: 'Box',
  documentation: 'https://developer.box.com/guides/authentication/oauth2/',
  authMethods: ['oauth', 'client_credentials'],
  oauth: {
    authorizationUrl: 'https://account.box.com/api/oauth2/authorize',
    tokenUrl: 'https://api.box.com/oauth2/token',
    refresh: 'rotating',
  },
  clientCredentials: {
    tokenUrl: 'https://api.box.com/oauth2/token',
    parameters: {
      box_subject_type: 'enterprise',
      box_subject_id: '{enterprise_id}',
    },
  },
  config: [
    {
      name: 'enterprise_id',
      label: 'Enterprise id',
      scope: 'installation',
      requiredFor: ['client_credentials'],
      pattern: '[0-9]{1,20}',
    },
  ],
  account: {
    from: 'request',
    url: 'https://api.box.com/2.0/users/me',
    identifier: 'id',
    displayName: 'login',
  },
};
