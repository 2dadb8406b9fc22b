import type { ScimGuide } from '../schema.ts';

export const oneloginGuide: ScimGuide = {
  id: 'onelogin',
  name: 'OneLogin',
  type: 'onelogin scim v2.0',
  source: 'https://developers.onelogin.com/scim/create-app',
  steps: [
    { do: 'open', where: ['Applications', 'Applications', 'Add App'] },
    { do: 'choose', options: ['SCIM Provisioner with SAML (SCIM v2 Enterprise)'] },
    {
      do: 'enter',
      fields: [
        ['SCIM Base URL', 'scim_url'],
        ['SCIM Bearer Token', 'token'],
      ],
    },
    { do: 'choose', options: ['API Connection', 'Enable'] },
    { do: 'choose', options: ['Provisioning', 'Enable provisioning'] },
    { do: 'assign', where: ['Users'] },
  ],
};
