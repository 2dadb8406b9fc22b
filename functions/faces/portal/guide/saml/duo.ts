import type { SamlGuide } from '../schema.ts';

export const duoGuide: SamlGuide = {
  id: 'duo',
  name: 'Duo',
  type: 'DuoSAML',
  source: 'https://duo.com/docs/sso-generic',
  steps: [
    { do: 'open', where: ['Applications', 'Protect an Application', 'Generic SAML Service Provider'] },
    {
      do: 'enter',
      fields: [
        ['Entity ID', 'sp_entity_id'],
        ['Assertion Consumer Service (ACS) URL', 'acs_url'],
        ['NameID format', { text: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress' }],
        ['NameID attribute', { text: '<Email Address>' }],
      ],
    },
    {
      do: 'map',
      where: ['Map attributes'],
      attributes: [
        ['email', '<Email Address>'],
        ['firstName', '<First Name>'],
        ['lastName', '<Last Name>'],
      ],
    },
    { do: 'assign', where: ['User access'] },
    { do: 'take', what: 'metadata_url', where: ['Metadata', 'Metadata URL'] },
  ],
};
