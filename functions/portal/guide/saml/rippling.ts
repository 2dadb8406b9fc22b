import type { SamlGuide } from '../schema.ts';

export const ripplingGuide: SamlGuide = {
  id: 'rippling',
  name: 'Rippling',
  type: 'RipplingSAML',
  source: null,
  steps: [
    { do: 'open', where: ['IT', 'Custom App', 'Create New App'] },
    { do: 'choose', options: ['Single Sign-on (SAML)'] },
    {
      do: 'enter',
      fields: [
        ['ACS URL', 'acs_url'],
        ['Service Provider Entity ID', 'sp_entity_id'],
      ],
    },
    {
      do: 'map',
      where: ['Attributes'],
      attributes: [
        ['email', 'Work email'],
        ['firstName', 'First name'],
        ['lastName', 'Last name'],
      ],
    },
    { do: 'assign', where: ['Access Rules'] },
    { do: 'take', what: 'metadata_file', where: ['SSO Setup Instructions', 'IdP Metadata XML'] },
  ],
};
