import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'cloudflare',
  name: 'Cloudflare',
  documentation: 'https://developers.cloudflare.com/fundamentals/api/get-started/create-token/',
  authMethods: ['api_key'],
};
