import type { ScimGuide } from '../schema.ts';

export const cyberarkGuide: ScimGuide = {
  id: 'cyberark',
  name: 'CyberArk Identity',
  type: 'cyberark scim v2.0',
  source:
    'https://docs.cyberark.com/Idaptive/Latest/en/Content/Developer/scim-management/scim-outbound-provisioning.htm',
  steps: [
    { do: 'open', where: ['Apps & Widgets', 'Web Apps', 'Provisioning'] },
    { do: 'choose', options: ['Enable provisioning for this application', 'Live Mode'] },
    {
      do: 'enter',
      fields: [
        ['SCIM URL', 'scim_url'],
        ['Access Token', 'token'],
      ],
    },
    { do: 'choose', options: ['Verify', 'Save'] },
    { do: 'assign', where: ['Permissions'] },
  ],
};
