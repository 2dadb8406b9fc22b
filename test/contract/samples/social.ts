import type { AreaSamples } from './sample.ts';

const google = { client_id: 'client-at-google', client_secret: 'a-secret-of-theirs' };

export const socialSamples: AreaSamples = {
  params: {
    '/x/social/providers/{provider}': async ({ send }) => {
      const headers = { 'content-type': 'application/json' };
      await send('PUT', '/x/social/providers/GoogleOAuth', { headers, body: JSON.stringify(google) });
      return { provider: 'GoogleOAuth' };
    },
  },
  makes: ['social_providers.configure'],
  bodies: { 'social_providers.configure': async () => ({ ...google, scopes: ['openid', 'email'] }) },
};
