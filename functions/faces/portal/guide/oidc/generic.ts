import type { OidcGuide } from '../schema.ts';

export const genericOidcGuide: OidcGuide = {
  id: 'oidc',
  name: 'OpenID Connect',
  type: 'GenericOIDC',
  source: null,
  steps: [
    {
      do: 'enter',
      fields: [
        ['Redirect URI', 'redirect_uri'],
        ['Grant type', { text: 'authorization_code' }],
        ['Scopes', { text: 'openid email profile' }],
      ],
    },
    { do: 'take', what: 'fields', where: ['Discovery document, Client ID, Client secret'] },
  ],
};
