import type { SamlGuide } from '../schema.ts';

export const shibbolethGuide: SamlGuide = {
  id: 'shibboleth',
  name: 'Shibboleth',
  type: 'ShibbolethSAML',
  source: 'https://shibboleth.atlassian.net/wiki/spaces/IDP5/pages/3199506865/FileBackedHTTPMetadataProvider',
  steps: [
    {
      do: 'write',
      file: 'conf/metadata-providers.xml',
      text: '<MetadataProvider id="{name}" xsi:type="FileBackedHTTPMetadataProvider"\n    backingFile="%{idp.home}/metadata/{name}.xml" metadataURL="{sp_metadata_url}"/>',
    },
    {
      do: 'write',
      file: 'conf/attribute-filter.xml',
      text: '<AttributeFilterPolicy id="{name}">\n  <PolicyRequirementRule xsi:type="Requester" value="{sp_entity_id}"/>\n  <AttributeRule attributeID="mail" permitAny="true"/>\n  <AttributeRule attributeID="givenName" permitAny="true"/>\n  <AttributeRule attributeID="sn" permitAny="true"/>\n</AttributeFilterPolicy>',
    },
    { do: 'take', what: 'metadata_file', where: ['https://<server>/idp/shibboleth'] },
  ],
};
