import type { ScimGuide } from '../schema.ts';

export const oktaGuide: ScimGuide = {
  id: 'okta',
  name: 'Okta',
  type: 'okta scim v2.0',
  source: 'https://help.okta.com/oie/en-us/content/topics/apps/apps_app_integration_wizard_scim.htm',
  steps: [
    { do: 'open', where: ['Applications', 'General', 'App Settings', 'Provisioning: SCIM'] },
    { do: 'open', where: ['Provisioning', 'Integration'] },
    {
      do: 'enter',
      fields: [
        ['SCIM connector base URL', 'scim_url'],
        ['Unique identifier field for users', { text: 'userName' }],
        ['Authentication Mode', { text: 'HTTP Header' }],
        ['Authorization, Bearer', 'token'],
      ],
    },
    {
      do: 'choose',
      options: ['Push New Users', 'Push Profile Updates', 'Push Groups', 'Test Connector Configuration'],
    },
    { do: 'choose', options: ['Provisioning', 'To App', 'Create Users', 'Update User Attributes', 'Deactivate Users'] },
    { do: 'assign', where: ['Assignments', 'Assign'] },
    { do: 'open', where: ['Push Groups', 'Find groups by name'] },
  ],
};
