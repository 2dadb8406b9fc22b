import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'bamboohr',
  name: 'BambooHR',
  documentation: 'https://documentation.bamboohr.com/docs/getting-started',
  authMethods: ['api_key'],
  config: [
    {
      name: 'subdomain',
      label: 'Subdomain: the name before .bamboohr.com',
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
