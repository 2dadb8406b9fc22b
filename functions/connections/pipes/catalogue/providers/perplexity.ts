import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'perplexity',
  name: 'Perplexity',
  documentation: 'https://docs.perplexity.ai/getting-started/quickstart',
  authMethods: ['api_key'],
};
