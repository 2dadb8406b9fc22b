import type { OidcGuide } from '../schema.ts';

export const oktaOidcGuide: OidcGuide = {
  id: 'okta-oidc',
  name: 'Okta (OpenID Connect)',
  type: 'OktaOIDC',
  source: 'https://help.okta.com/oie/en-us/content/topics/apps/apps_app_integration_wizard_oidc.htm',
  steps: [
    { do: 'open', where: ['Applications', 'Applications', 'Create App Integration'] },
    { do: 'choose', options: ['OIDC - OpenID Connect', 'Web Application', 'Next'] },
    { do: 'choose', options: ['Grant type', 'Authorization Code'] },
    { do: 'enter', fields: [['Sign-in redirect URIs', 'redirect_uri']] },
    { do: 'assign', where: ['Assignments', 'Assign'] },
    { do: 'take', what: 'fields', where: ['General', 'Client Credentials'] },
  ],
};
