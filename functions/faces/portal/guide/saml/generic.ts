import type { SamlGuide } from '../schema.ts';

export const genericGuide: SamlGuide = {
  id: 'generic',
  name: 'SAML 2.0',
  type: 'GenericSAML',
  source: null,
  steps: [
    {
      do: 'enter',
      fields: [
        ['Assertion Consumer Service (ACS) URL', 'acs_url'],
        ['SP Entity ID, Audience', 'sp_entity_id'],
        ['SP metadata', 'sp_metadata_url'],
        ['NameID format', { text: 'persistent' }],
      ],
    },
    {
      do: 'map',
      where: ['Attributes'],
      attributes: [
        ['id', 'User ID'],
        ['email', 'Email'],
        ['firstName', 'First name'],
        ['lastName', 'Last name'],
        ['groups', 'Groups'],
      ],
    },
    { do: 'take', what: 'metadata_url', where: ['SAML 2.0 metadata'] },
  ],
};
