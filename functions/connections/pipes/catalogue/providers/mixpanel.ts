import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'mixpanel',
  name: 'Mixpanel',
  documentation: 'https://developer.mixpanel.com/reference/authentication',
  authMethods: ['api_key'],
};
