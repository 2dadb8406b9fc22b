import type { SamlGuide } from '../schema.ts';

export const keycloakGuide: SamlGuide = {
  id: 'keycloak',
  name: 'Keycloak',
  type: 'KeycloakSAML',
  source: 'https://www.keycloak.org/docs/latest/server_admin/#_client-saml-configuration',
  steps: [
    { do: 'open', where: ['Clients', 'Create client'] },
    {
      do: 'enter',
      fields: [
        ['Client type', { text: 'SAML' }],
        ['Client ID', 'sp_entity_id'],
        ['Valid redirect URIs', 'acs_url'],
        ['Master SAML Processing URL', 'acs_url'],
      ],
    },
    {
      do: 'enter',
      fields: [
        ['Name ID format', { text: 'email' }],
        ['Keys, Client signature required', { text: 'Off' }],
      ],
    },
    {
      do: 'map',
      where: ['Client scopes', 'Dedicated scope', 'Add mapper', 'User Property'],
      attributes: [
        ['email', 'email'],
        ['firstName', 'firstName'],
        ['lastName', 'lastName'],
      ],
    },
    {
      do: 'map',
      where: ['Client scopes', 'Dedicated scope', 'Add mapper', 'Group list'],
      attributes: [['groups', 'Single Group Attribute: On']],
    },
    { do: 'take', what: 'metadata_url', where: ['Realm settings', 'Endpoints', 'SAML 2.0 Identity Provider Metadata'] },
  ],
};
