import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'anthropic',
  name: 'Anthropic',
  documentation: 'https://docs.anthropic.com/en/api/overview',
  authMethods: ['api_key'],
};
