import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'sendgrid',
  name: 'SendGrid',
  documentation: 'https://www.twilio.com/docs/sendgrid/api-reference/how-to-use-the-sendgrid-v3-api/authentication',
  authMethods: ['api_key'],
};
