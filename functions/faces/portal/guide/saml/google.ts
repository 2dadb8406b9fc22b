import type { SamlGuide } from '../schema.ts';

export const googleGuide: SamlGuide = {
  id: 'google',
  name: 'Google Workspace',
  type: 'GoogleSAML',
  source: 'https://support.google.com/a/answer/6087519',
  steps: [
    { do: 'open', where: ['Apps', 'Web and mobile apps', 'Add app', 'Add custom SAML app'] },
    { do: 'take', what: 'metadata_file', where: ['Option 1: Download IdP metadata', 'Download Metadata'] },
    {
      do: 'enter',
      fields: [
        ['ACS URL', 'acs_url'],
        ['Entity ID', 'sp_entity_id'],
        ['Name ID format', { text: 'EMAIL' }],
        ['Name ID', { text: 'Basic Information > Primary email' }],
      ],
    },
    {
      do: 'map',
      where: ['Attributes'],
      attributes: [
        ['email', 'Primary email'],
        ['firstName', 'First name'],
        ['lastName', 'Last name'],
      ],
    },
    { do: 'map', where: ['Group membership (optional)'], attributes: [['groups', 'Google groups']] },
    { do: 'assign', where: ['User access', 'ON for everyone'] },
  ],
};
