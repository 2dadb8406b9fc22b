/** Titles of areas that are not just their name with a capital letter. */
const AREA_TITLES: Readonly<Record<string, string>> = {
  'api-keys': 'API keys',
  authentication: 'Authentication',
  connect: 'Connect (OAuth applications)',
  environment: 'Environment and API keys',
  events: 'Events',
  mfa: 'Multi-factor authentication',
  pages: 'Hosted pages',
  pipes: 'Pipes (connected accounts)',
  portal: 'Admin portal',
  sso: 'Single sign-on',
  social: 'Social sign-in',
  'user-management': 'Users and invitations',
};

/** A section for resources whose area is not where a reader looks for them. */
export const ENVIRONMENT_SECTION = {
  name: 'environment',
  description:
    'The environment that a key belongs to: its name and settings, its API keys, and the environments of the stage',
  resources: ['environment', 'environment_api_keys', 'stage_environments'],
} as const;

/** The areas by subject, in the order of the navigation. Areas that are not named here follow under “More”. */
export const AREA_GROUPS: readonly { title: string; areas: readonly string[] }[] = [
  {
    title: 'Users and sign-in',
    areas: [
      'user-management',
      'authentication',
      'sessions',
      'mfa',
      'passkeys',
      'social',
      'pages',
      'account',
      'actions',
      'brand',
      'widgets',
    ],
  },
  { title: 'Organizations', areas: ['organizations', 'groups', 'sso', 'directory-sync', 'portal'] },
  { title: 'Authorization', areas: ['roles', 'authorization', 'api-keys', 'feature-flags'] },
  { title: 'Events and logs', areas: ['events', 'webhooks', 'audit-logs'] },
  { title: 'Applications and data', areas: ['connect', 'agents', 'pipes', 'vault'] },
  { title: 'Protection and operation', areas: ['environment', 'radar', 'messages', 'platform', 'reference'] },
];

/** Titles of resources whose operation ids do not say what they are about. */
const RESOURCE_TITLES: Readonly<Record<string, string>> = {
  'authorization.resources': 'Resources',
  'authorization.groups.role_assignments': 'Role assignments of groups',
  'authorization.organization_memberships': 'Checks and lookups of memberships',
  'authorization.organization_memberships.role_assignments': 'Role assignments of memberships',
  authzen: 'AuthZEN',
  x_authorization: 'Batch checks, explanations, exports and the log of decisions',
  auth_challenges: 'Challenges',
  auth_factors: 'Factors',
  user_auth_factors: 'Factors of users',
  client: 'Client tokens',
  data_integrations: 'Integrations',
  data_integration_configurations: 'Integration configurations',
  data_providers: 'Providers of an owner',
  dsync: 'Directories',
  external_auth: 'Sign-in by an application of your own',
  magic_auth: 'Magic Auth codes',
  oauth2: 'OAuth 2.0 and OpenID Connect',
  sign_in_explanations: 'Sign-in explanations',
  user_management: 'Settings of users and memberships',
  scim: 'SCIM 2.0',
  sso: 'Sign-in through a connection',
};

/** The spelling of words that do not begin with a small letter. */
const WORDS: Readonly<Record<string, string>> = {
  api: 'API',
  cors: 'CORS',
  idp: 'IdP',
  it: 'IT',
  jwt: 'JWT',
  mfa: 'MFA',
  oauth: 'OAuth',
  saml: 'SAML',
  scim: 'SCIM',
  sp: 'SP',
  sso: 'SSO',
  uris: 'URIs',
  certs: 'certificates',
  cert: 'certificate',
};

/** A name of the API as a title: `saml_idp_signing_certs` is “SAML IdP signing certificates”. */
export function readableName(name: string): string {
  const words = name.split(/[_.-]/).filter(Boolean);
  const text = words.map((word) => WORDS[word] ?? word).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const areaTitle = (area: string): string => AREA_TITLES[area] ?? readableName(area);

/** Titles of resources whose operations are in several areas, by area and resource. */
const TITLES_IN_AREA: Readonly<Record<string, string>> = {
  'authentication.users': 'Limits and sign-in of a user',
  'authentication.jwt_template': 'Preview of the JWT template',
  'sessions.sso': 'Keys of access tokens',
};

export const resourceTitle = (area: string, resource: string): string =>
  TITLES_IN_AREA[`${area}.${resource}`] ?? RESOURCE_TITLES[resource] ?? readableName(resource);
