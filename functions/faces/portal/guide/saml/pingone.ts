import type { SamlGuide } from '../schema.ts';

export const pingoneGuide: SamlGuide = {
  id: 'pingone',
  name: 'PingOne',
  type: 'PingOneSAML',
  source: 'https://docs.pingidentity.com/pingone/applications/p1_add_saml_application.html',
  steps: [
    { do: 'open', where: ['Applications', 'Applications', 'Add Application'] },
    { do: 'choose', options: ['SAML Application', 'Configure', 'Manually Enter'] },
    {
      do: 'enter',
      fields: [
        ['ACS URLs', 'acs_url'],
        ['Entity ID', 'sp_entity_id'],
      ],
    },
    {
      do: 'map',
      where: ['Attribute Mappings'],
      attributes: [
        ['saml_subject', 'User ID'],
        ['email', 'Email Address'],
        ['firstName', 'Given Name'],
        ['lastName', 'Family Name'],
        ['groups', 'Group Names'],
      ],
    },
    { do: 'assign', where: ['Access', 'Groups'] },
    { do: 'choose', options: ['Applications', 'Switch of the application: on'] },
    { do: 'take', what: 'metadata_url', where: ['Overview', 'Connection Details', 'IDP Metadata URL'] },
  ],
};
