import type { SamlGuide } from '../schema.ts';

export const adfsGuide: SamlGuide = {
  id: 'adfs',
  name: 'Active Directory Federation Services',
  type: 'ADFSSAML',
  source: 'https://learn.microsoft.com/en-us/windows-server/identity/ad-fs/operations/create-a-relying-party-trust',
  steps: [
    { do: 'open', where: ['AD FS Management', 'Relying Party Trusts', 'Add Relying Party Trust'] },
    {
      do: 'choose',
      options: ['Claims aware', 'Import data about the relying party published online or on a local network'],
    },
    { do: 'enter', fields: [['Federation metadata address', 'sp_metadata_url']] },
    {
      do: 'map',
      where: ['Edit Claim Issuance Policy', 'Send LDAP Attributes as Claims'],
      attributes: [
        ['E-Mail Address', 'E-Mail-Addresses'],
        ['Given Name', 'Given-Name'],
        ['Surname', 'Surname'],
        ['Group', 'Token-Groups - Unqualified Names'],
      ],
    },
    {
      do: 'map',
      where: ['Edit Claim Issuance Policy', 'Transform an Incoming Claim'],
      attributes: [['Name ID', 'E-Mail Address']],
    },
    { do: 'assign', where: ['Edit Access Control Policy'] },
    {
      do: 'take',
      what: 'metadata_file',
      where: ['https://<server>/FederationMetadata/2007-06/FederationMetadata.xml'],
    },
  ],
};
