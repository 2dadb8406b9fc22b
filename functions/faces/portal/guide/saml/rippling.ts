import type { SamlGuide } from '../schema.ts';

export const ripplingGuide: SamlGuide = {
  id: 'rippling',
  name: 'Rippling',
  type: 'RipplingSAML',
  source: null,
  steps: [
    { do: 'open', where: ['IT', 'Third-Party Access', 'Add Integration', 'Create New Custom Integration'] },
    { do: 'choose', options: ['Single Sign-On (SAML)'] },
    {
      do: 'enter',
      fields: [
        ['Assertion Consumer Service URL', 'acs_url'],
        ['Service Provider Entity ID', 'sp_entity_id'],
      ],
    },
    {
      do: 'choose',
      options: ['Settings', 'Advanced SAML Settings', 'Disable InResponseTo field in assertions for IdP initiated SSO'],
    },
    {
      do: 'map',
      where: ['Settings', 'SAML Attributes', 'Create New'],
      attributes: [
        ['email', 'Work email'],
        ['firstName', 'First name'],
        ['lastName', 'Last name'],
      ],
    },
    { do: 'assign', where: ['Access Rules'] },
    { do: 'take', what: 'metadata_url', where: ['IdP Metadata URL'] },
  ],
};
