import type { ScimGuide } from '../schema.ts';

export const entraGuide: ScimGuide = {
  id: 'entra',
  name: 'Microsoft Entra ID',
  type: 'azure scim v2.0',
  source: 'https://learn.microsoft.com/en-us/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups',
  steps: [
    { do: 'open', where: ['Enterprise applications', 'Provisioning', 'New configuration'] },
    {
      do: 'enter',
      fields: [
        ['Tenant URL', 'scim_url'],
        ['Secret token', 'token'],
      ],
    },
    { do: 'choose', options: ['Test Connection', 'Create'] },
    { do: 'assign', where: ['Users and groups', 'Add user/group'] },
    { do: 'choose', options: ['Provisioning', 'Start provisioning'] },
  ],
};
