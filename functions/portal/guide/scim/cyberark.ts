import type { ScimGuide } from '../schema.ts';

export const cyberarkGuide: ScimGuide = {
  id: 'cyberark',
  name: 'CyberArk Identity',
  type: 'cyberark scim v2.0',
  source: null,
  steps: [
    { do: 'open', where: ['Apps & Widgets', 'Web Apps', 'Provisioning'] },
    { do: 'choose', options: ['Enable provisioning for this application', 'Live Mode'] },
    {
      do: 'enter',
      fields: [
        ['SCIM Service URL', 'scim_url'],
        ['Authorization Type', { text: 'Authorization Header' }],
        ['Header Type', { text: 'Bearer Token' }],
        ['Bearer Token', 'token'],
      ],
    },
    { do: 'choose', options: ['Verify', 'Save'] },
    { do: 'assign', where: ['Permissions'] },
  ],
};
