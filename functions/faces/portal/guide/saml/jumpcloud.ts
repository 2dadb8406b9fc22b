import type { SamlGuide } from '../schema.ts';

export const jumpcloudGuide: SamlGuide = {
  id: 'jumpcloud',
  name: 'JumpCloud',
  type: 'JumpCloudSAML',
  source: 'https://jumpcloud.com/support/sso-using-custom-saml-application-connectors',
  steps: [
    { do: 'open', where: ['Access', 'SSO Applications', 'Add New Application'] },
    { do: 'choose', options: ['Custom Application', 'Manage Single Sign-On (SSO)', 'Configure SSO with SAML'] },
    {
      do: 'enter',
      fields: [
        ['IdP Entity ID', { text: 'JumpCloud' }],
        ['SP Entity ID', 'sp_entity_id'],
        ['ACS URLs', 'acs_url'],
        ['SAMLSubject NameID', { text: 'email' }],
      ],
    },
    {
      do: 'map',
      where: ['User Attribute Mapping'],
      attributes: [
        ['email', 'email'],
        ['firstName', 'firstname'],
        ['lastName', 'lastname'],
      ],
    },
    // Without "Declare Redirect Endpoint" the metadata has no address for requests by redirect.
    { do: 'choose', options: ['Declare Redirect Endpoint', 'Sign: Assertion'] },
    { do: 'map', where: ['Group Attributes', 'include group attribute'], attributes: [['groups', 'memberOf']] },
    { do: 'assign', where: ['User Groups'] },
    { do: 'take', what: 'metadata_url', where: ['SSO', 'Copy Metadata URL'] },
  ],
};
