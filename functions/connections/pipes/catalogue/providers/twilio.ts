import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'twilio',
  name: 'Twilio',
  documentation: 'https://www.twilio.com/docs/iam/api-keys',
  authMethods: ['api_key'],
};
