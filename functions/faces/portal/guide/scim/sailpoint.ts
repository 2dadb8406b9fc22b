import type { ScimGuide } from '../schema.ts';

export const sailpointGuide: ScimGuide = {
  id: 'sailpoint',
  name: 'SailPoint',
  type: 'sailpoint scim v2.0',
  source: 'https://documentation.sailpoint.com/connectors/scim_2_0/help/integrating_scim2/api_token.html',
  steps: [
    { do: 'open', where: ['Connections', 'Sources', 'Create New'] },
    { do: 'choose', options: ['SCIM 2.0'] },
    {
      do: 'enter',
      fields: [
        ['Base URL', 'scim_url'],
        ['Authentication Type', { text: 'API Token' }],
        ['API Token', 'token'],
      ],
    },
    { do: 'choose', options: ['Review and Test', 'Test Connection'] },
  ],
};
