import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'paypal',
  name: 'PayPal',
  documentation: 'https://developer.paypal.com/api/rest/authentication/',
  authMethods: ['client_credentials'],
  clientCredentials: {
    tokenUrl: 'https://api-m.paypal.com/v1/oauth2/token',
    authenticateVia: 'basic_auth_header',
  },
};
