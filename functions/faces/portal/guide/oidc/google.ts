import type { OidcGuide } from '../schema.ts';

export const googleOidcGuide: OidcGuide = {
  id: 'google-oidc',
  name: 'Google (OpenID Connect)',
  type: 'GoogleOIDC',
  source: 'https://developers.google.com/identity/openid-connect/openid-connect',
  steps: [
    { do: 'open', where: ['Google Auth Platform', 'Clients', 'Create client'] },
    { do: 'choose', options: ['Application type', 'Web application'] },
    {
      do: 'enter',
      fields: [
        ['Authorized redirect URIs', 'redirect_uri'],
        ['Discovery document', { text: 'https://accounts.google.com/.well-known/openid-configuration' }],
      ],
    },
    { do: 'take', what: 'fields', where: ['Clients', 'Client ID, Client secret'] },
  ],
};
