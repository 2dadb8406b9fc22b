import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'shopify',
  name: 'Shopify',
  documentation:
    'https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant',
  authMethods: ['oauth', 'api_key', 'client_credentials'],
  oauth: {
    authorizationUrl: 'https://{shop}.myshopify.com/admin/oauth/authorize',
    tokenUrl: 'https://{shop}.myshopify.com/admin/oauth/access_token',
    scopes: ['read_products'],
    scopeSeparator: ',',
  },
  clientCredentials: {
    tokenUrl: 'https://{shop}.myshopify.com/admin/oauth/access_token',
  },
  config: [
    {
      name: 'shop',
      label: 'Shop: the name before .myshopify.com',
      scope: 'installation',
      requiredFor: ['oauth', 'client_credentials'],
      pattern: '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?',
    },
  ],
  account: {
    from: 'config',
    identifier: 'shop',
  },
};
