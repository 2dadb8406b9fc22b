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
        ['ACS (Consumer) URL Validator', 'acs_url'],
        ['ACS (Consumer) URL', 'acs_url'],
        ['SAML initiator', { text: 'Service Provider' }],
      ],
    },
    // OneLogin's default is SHA-1, which is rejected.
    { do: 'choose', options: ['SSO', 'SAML Signature Algorithm', 'SHA-256'] },
    {
      do: 'map',
      where: ['Parameters', 'Include in SAML assertion'],
      attributes: [
        ['id', 'UUID'],
        ['email', 'Email'],
        ['firstName', 'First Name'],
        ['lastName', 'Last Name'],
        ['groups', 'User Roles'],
      ],
    },
    { do: 'assign', where: ['Users'] },
    { do: 'take', what: 'metadata_file', where: ['More Actions', 'SAML Metadata'] },
  ],
};
