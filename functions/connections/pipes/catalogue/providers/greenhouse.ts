import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'greenhouse',
  name: 'Greenhouse',
  documentation: 'https://developers.greenhouse.io/harvest.html#authentication',
  authMethods: ['api_key'],
};
