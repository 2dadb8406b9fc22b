import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'freshdesk',
  name: 'Freshdesk',
  documentation: 'https://developers.freshdesk.com/api/#authentication',
  authMethods: ['api_key'],
  config: [
    {
      name: 'subdomain',
      label: 'Subdomain: the name before .freshdesk.com',
      scope: 'installation',
      requiredFor: [],
      pattern: '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?',
    },
  ],
  account: {
    from: 'config',
    identifier: 'subdomain',
  },
};
