import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'lever',
  name: 'Lever',
  documentation: 'https://hire.lever.co/developer/documentation#authentication',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://auth.lever.co/authorize',
    tokenUrl: 'https://auth.lever.co/oauth/token',
    scopes: ['offline_access', 'users:read:admin'],
    authorizationParameters: {
      audience: 'https://api.lever.co/v1/',
      prompt: 'consent',
    },
    refresh: 'rotating',
  },
};
