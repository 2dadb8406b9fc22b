import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'stripe',
  name: 'Stripe',
  documentation: 'https://docs.stripe.com/connect/oauth-reference',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://connect.stripe.com/oauth/authorize',
    tokenUrl: 'https://connect.stripe.com/oauth/token',
    scopes: ['read_write'],
    refresh: 'kept',
  },
  account: {
    from: 'token',
    identifier: 'stripe_user_id',
  },
};
