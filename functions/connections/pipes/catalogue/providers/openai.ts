import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'openai',
  name: 'OpenAI',
  documentation: 'https://platform.openai.com/docs/api-reference/authentication',
  authMethods: ['api_key'],
};
