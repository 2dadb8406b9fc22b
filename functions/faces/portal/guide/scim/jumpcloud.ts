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
    { do: 'choose', options: ['Enable management of User Groups and Group Membership in this application'] },
    { do: 'choose', options: ['Test User Email', 'Test Connection', 'Activate', 'Save'] },
    { do: 'assign', where: ['User Groups'] },
  ],
};
