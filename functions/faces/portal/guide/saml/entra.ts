import type { SamlGuide } from '../schema.ts';

export const entraGuide: SamlGuide = {
  id: 'entra',
  name: 'Microsoft Entra ID',
  type: 'AzureSAML',
  source: 'https://learn.microsoft.com/en-us/entra/identity/enterprise-apps/add-application-portal-setup-sso',
  steps: [
    { do: 'open', where: ['Enterprise applications', 'New application', 'Create your own application'] },
    { do: 'choose', options: ["Integrate any other application you don't find in the gallery (Non-gallery)"] },
    { do: 'open', where: ['Single sign-on', 'SAML', 'Basic SAML Configuration'] },
    {
      do: 'enter',
      fields: [
        ['Identifier (Entity ID)', 'sp_entity_id'],
        ['Reply URL (Assertion Consumer Service URL)', 'acs_url'],
      ],
    },
    {
      do: 'map',
      where: ['Attributes & Claims'],
      attributes: [
        ['http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress', 'user.mail'],
        ['http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname', 'user.givenname'],
        ['http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname', 'user.surname'],
      ],
    },
    { do: 'choose', options: ['Attributes & Claims', 'Add a group claim', 'Groups assigned to the application'] },
    { do: 'assign', where: ['Users and groups', 'Add user/group'] },
    { do: 'take', what: 'metadata_url', where: ['SAML Certificates', 'App Federation Metadata Url'] },
  ],
};
