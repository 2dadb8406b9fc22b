import { googleProvider } from '../families.ts';
import type { Provider } from '../schema.ts';

export const provider: Provider = googleProvider(
  {
    slug: 'google-ads',
    name: 'Google Ads',
    scopes: ['https://www.googleapis.com/auth/adwords'],
  },
  {
    config: [
      {
        name: 'developer_token',
        label: 'Developer token of your manager account',
        scope: 'integration',
        requiredFor: [],
        secret: true,
        pattern: '[A-Za-z0-9_-]{10,64}',
      },
    ],
  },
);
