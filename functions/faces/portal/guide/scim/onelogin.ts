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
    { do: 'choose', options: ['Configuration', 'API Connection', 'Enable'] },
    { do: 'map', where: ['Parameters', 'SCIM Username'], attributes: [['userName', 'Email']] },
    {
      do: 'choose',
      options: ['Provisioning', 'Enable provisioning', 'Create user, Delete user, Update user: no approval'],
    },
    { do: 'assign', where: ['Users'] },
  ],
};
