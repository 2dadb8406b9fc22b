import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'resend',
  name: 'Resend',
  documentation: 'https://resend.com/docs/api-reference/introduction',
  authMethods: ['api_key'],
};
