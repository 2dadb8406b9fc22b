import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'mistral',
  name: 'Mistral AI',
  documentation: 'https://docs.mistral.ai/api/',
  authMethods: ['api_key'],
};
