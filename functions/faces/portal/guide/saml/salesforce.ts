import type { SamlGuide } from '../schema.ts';

export const salesforceGuide: SamlGuide = {
  id: 'salesforce',
  name: 'Salesforce',
  type: 'SalesforceSAML',
  source: 'https://help.salesforce.com/s/articleView?id=sf.service_provider_define.htm',
  steps: [
    { do: 'open', where: ['Setup', 'Identity Provider', 'Enable Identity Provider'] },
    { do: 'open', where: ['Setup', 'App Manager', 'New Connected App'] },
    { do: 'choose', options: ['Web App Settings', 'Enable SAML'] },
    {
      do: 'enter',
      fields: [
        ['Entity Id', 'sp_entity_id'],
        ['ACS URL', 'acs_url'],
        ['Subject Type', { text: 'User ID' }],
        ['Name ID Format', { text: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' }],
      ],
    },
    {
      do: 'map',
      where: ['Manage', 'Custom Attributes'],
      attributes: [
        ['email', '$User.Email'],
        ['firstName', '$User.FirstName'],
        ['lastName', '$User.LastName'],
      ],
    },
    { do: 'assign', where: ['Manage', 'Profiles'] },
    { do: 'take', what: 'metadata_url', where: ['Manage', 'SAML Login Information', 'Metadata Discovery Endpoint'] },
  ],
};
