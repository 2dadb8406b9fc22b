import type { SamlGuide } from '../schema.ts';

export const cyberarkGuide: SamlGuide = {
  id: 'cyberark',
  name: 'CyberArk Identity',
  type: 'CyberArkSAML',
  source: 'https://docs.cyberark.com/Idaptive/Latest/en/Content/iDaptiveTrial/ssoSAMLapp.htm',
  steps: [
    { do: 'open', where: ['Apps & Widgets', 'Web Apps', 'Add Web Apps'] },
    { do: 'choose', options: ['Custom', 'SAML'] },
    { do: 'open', where: ['Trust', 'Service Provider Configuration', 'Manual Configuration'] },
    {
      do: 'enter',
      fields: [
        ['SP Entity ID / Issuer / Audience', 'sp_entity_id'],
        ['Assertion Consumer Service (ACS) URL', 'acs_url'],
        ['NameID Format', { text: 'emailAddress' }],
      ],
    },
    {
      do: 'map',
      where: ['SAML Response'],
      attributes: [
        ['email', 'LoginUser.Email'],
        ['firstName', 'LoginUser.FirstName'],
        ['lastName', 'LoginUser.LastName'],
        ['groups', 'LoginUser.GroupNames'],
      ],
    },
    { do: 'assign', where: ['Permissions'] },
    {
      do: 'take',
      what: 'metadata_file',
      where: ['Trust', 'Identity Provider Configuration', 'Metadata', 'Download Metadata File'],
    },
  ],
};
