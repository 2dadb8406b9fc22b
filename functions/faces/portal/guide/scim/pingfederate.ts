import type { ScimGuide } from '../schema.ts';

export const pingfederateGuide: ScimGuide = {
  id: 'pingfederate',
  name: 'PingFederate',
  type: 'pingfederate scim v2.0',
  source:
    'https://docs.pingidentity.com/integrations/scim/setup/pf_scim_connector_scim_connector_settings_reference.html',
  steps: [
    { do: 'open', where: ['Applications', 'Integration', 'SP Connections', 'Create Connection'] },
    { do: 'choose', options: ['Connection Type', 'Outbound Provisioning', 'SCIM Connector'] },
    {
      do: 'enter',
      fields: [
        ['SCIM URL', 'scim_url'],
        ['SCIM Version', { text: '2.0' }],
        ['Authentication Method', { text: 'OAuth 2 Bearer Token' }],
        ['Access Token', 'token'],
      ],
    },
    { do: 'open', where: ['Manage Channels', 'Create'] },
    { do: 'choose', options: ['Activation & Summary', 'Active'] },
  ],
};
