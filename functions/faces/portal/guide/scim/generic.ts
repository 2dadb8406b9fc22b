import type { ScimGuide } from '../schema.ts';

export const genericGuide: ScimGuide = {
  id: 'generic',
  name: 'SCIM 2.0',
  type: 'generic scim v2.0',
  source: null,
  steps: [
    {
      do: 'enter',
      fields: [
        ['SCIM Base URL', 'scim_url'],
        ['SCIM version', { text: '2.0' }],
        ['Authentication', { text: 'Bearer token' }],
        ['Token', 'token'],
      ],
    },
    { do: 'choose', options: ['Create users', 'Update users', 'Deactivate users', 'Push groups'] },
  ],
};
