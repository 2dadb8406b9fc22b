import type { SamlGuide } from '../schema.ts';

export const pingfederateGuide: SamlGuide = {
  id: 'pingfederate',
  name: 'PingFederate',
  type: 'PingFederateSAML',
  source: 'https://docs.pingidentity.com/r/en-us/solution-guides/qmm1623783679200',
  steps: [
    { do: 'open', where: ['Applications', 'Integration', 'SP Connections', 'Create Connection'] },
    { do: 'choose', options: ['Do not use a template for this connection', 'Browser SSO Profiles', 'SAML 2.0'] },
    {
      do: 'enter',
      fields: [
        ['Import Metadata, URL', 'sp_metadata_url'],
        ["Partner's Entity ID (Connection ID)", 'sp_entity_id'],
        ['Assertion Consumer Service URL, POST', 'acs_url'],
      ],
    },
    { do: 'choose', options: ['SAML Profiles', 'SP-Initiated SSO'] },
    {
      do: 'map',
      where: ['Attribute Contract'],
      attributes: [
        ['SAML_SUBJECT', 'user name'],
        ['email', 'mail'],
        ['firstName', 'givenName'],
        ['lastName', 'sn'],
        ['groups', 'memberOf'],
      ],
    },
    { do: 'take', what: 'metadata_file', where: ['System', 'Protocol Metadata', 'Metadata Export'] },
  ],
};
