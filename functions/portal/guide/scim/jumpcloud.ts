import type { ScimGuide } from '../schema.ts';

export const jumpcloudGuide: ScimGuide = {
  id: 'jumpcloud',
  name: 'JumpCloud',
  type: 'jump cloud scim v2.0',
  source: null,
  steps: [
    { do: 'open', where: ['Access', 'SSO Applications', 'Identity Management'] },
    {
      do: 'enter',
      fields: [
        ['SCIM Version', { text: 'SCIM 2.0' }],
        ['Base URL', 'scim_url'],
        ['Token Key', 'token'],
      ],
    },
    { do: 'choose', options: ['Test Connection', 'Activate'] },
    { do: 'assign', where: ['User Groups'] },
  ],
};
