import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'digitalocean',
  name: 'DigitalOcean',
  documentation: 'https://docs.digitalocean.com/reference/api/oauth/',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://cloud.digitalocean.com/v1/oauth/authorize',
    tokenUrl: 'https://cloud.digitalocean.com/v1/oauth/token',
    scopes: ['read'],
    refresh: 'rotating',
  },
  account: {
    from: 'token',
    identifier: 'info.uuid',
    displayName: 'info.name',
  },
};
