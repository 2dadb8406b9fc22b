import type { OidcGuide } from '../schema.ts';

export const entraOidcGuide: OidcGuide = {
  id: 'entra-oidc',
  name: 'Microsoft Entra ID (OpenID Connect)',
  type: 'EntraIdOIDC',
  source: 'https://learn.microsoft.com/en-us/entra/identity-platform/quickstart-register-app',
  steps: [
    { do: 'open', where: ['App registrations', 'New registration'] },
    { do: 'choose', options: ['Accounts in this organizational directory only'] },
    { do: 'enter', fields: [['Redirect URI (Web)', 'redirect_uri']] },
    { do: 'open', where: ['Certificates & secrets', 'Client secrets', 'New client secret'] },
    { do: 'choose', options: ['Token configuration', 'Add optional claim', 'ID', 'email'] },
    { do: 'take', what: 'fields', where: ['Overview', 'Endpoints', 'OpenID Connect metadata document'] },
  ],
};
