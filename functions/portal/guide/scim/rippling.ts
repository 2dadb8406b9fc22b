import type { ScimGuide } from '../schema.ts';

export const ripplingGuide: ScimGuide = {
  id: 'rippling',
  name: 'Rippling',
  type: 'rippling scim v2.0',
  source: null,
  steps: [
    { do: 'open', where: ['IT', 'Custom App', 'SCIM Provisioning'] },
    {
      do: 'enter',
      fields: [
        ['SCIM 2.0 Base URL', 'scim_url'],
        ['Authentication Type', { text: 'Bearer Token' }],
        ['Token', 'token'],
      ],
    },
    { do: 'assign', where: ['Access Rules'] },
  ],
};
