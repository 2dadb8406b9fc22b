import type { SamlGuide } from '../schema.ts';

export const oneloginGuide: SamlGuide = {
  id: 'onelogin',
  name: 'OneLogin',
  type: 'OneLoginSAML',
  source: null,
  steps: [
    { do: 'open', where: ['Applications', 'Applications', 'Add App'] },
    { do: 'choose', options: ['SAML Custom Connector (Advanced)'] },
    {
      do: 'enter',
      fields: [
        ['Audience (EntityID)', 'sp_entity_id'],
        ['Recipient', 'acs_url'],
        ['ACS (Consumer) URL Validator', { text: '.*' }],
        ['ACS (Consumer) URL', 'acs_url'],
      ],
    },
    {
      do: 'map',
      where: ['Parameters'],
      attributes: [
        ['id', 'OneLogin ID'],
        ['email', 'Email'],
        ['firstName', 'First Name'],
        ['lastName', 'Last Name'],
        ['groups', 'User Roles'],
      ],
    },
    { do: 'assign', where: ['Users'] },
    { do: 'take', what: 'metadata_url', where: ['More Actions', 'SAML Metadata'] },
  ],
};
