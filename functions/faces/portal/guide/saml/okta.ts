import type { SamlGuide } from '../schema.ts';

export const oktaGuide: SamlGuide = {
  id: 'okta',
  name: 'Okta',
  type: 'OktaSAML',
  source: 'https://help.okta.com/oie/en-us/content/topics/apps/apps_app_integration_wizard_saml.htm',
  steps: [
    { do: 'open', where: ['Applications', 'Applications', 'Create App Integration'] },
    { do: 'choose', options: ['SAML 2.0', 'Next'] },
    {
      do: 'enter',
      fields: [
        ['Single sign-on URL', 'acs_url'],
        ['Audience URI (SP Entity ID)', 'sp_entity_id'],
        ['Name ID format', { text: 'EmailAddress' }],
      ],
    },
    {
      do: 'map',
      where: ['Attribute Statements'],
      attributes: [
        ['id', 'user.id'],
        ['email', 'user.email'],
        ['firstName', 'user.firstName'],
        ['lastName', 'user.lastName'],
      ],
    },
    { do: 'map', where: ['Group Attribute Statements'], attributes: [['groups', 'Matches regex .*']] },
    { do: 'assign', where: ['Assignments', 'Assign'] },
    { do: 'take', what: 'metadata_url', where: ['Sign On', 'SAML 2.0', 'Metadata details', 'Metadata URL'] },
  ],
};
