import type { SamlGuide } from '../schema.ts';

export const simplesamlphpGuide: SamlGuide = {
  id: 'simplesamlphp',
  name: 'SimpleSAMLphp',
  type: 'SimpleSamlPhpSAML',
  source: 'https://simplesamlphp.org/docs/stable/simplesamlphp-reference-sp-remote.html',
  steps: [
    {
      do: 'write',
      file: 'metadata/saml20-sp-remote.php',
      text: "$metadata['{sp_entity_id}'] = [\n    'AssertionConsumerService' => '{acs_url}',\n    'NameIDFormat' => 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',\n    'attributes' => ['uid', 'mail', 'givenName', 'sn'],\n];",
    },
    { do: 'take', what: 'metadata_url', where: ['Federation', 'SAML 2.0 IdP metadata'] },
  ],
};
