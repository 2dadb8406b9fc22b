/** The protocol of a connection; `oauth` is a social provider's, `none` is undecided. */
export type Protocol = 'saml' | 'oidc' | 'oauth' | 'none';

const SAML_TYPES = [
  'ADFSSAML',
  'Auth0SAML',
  'AzureSAML',
  'CasSAML',
  'ClassLinkSAML',
  'CloudflareSAML',
  'CyberArkSAML',
  'DuoSAML',
  'GenericSAML',
  'GoogleSAML',
  'JumpCloudSAML',
  'KeycloakSAML',
  'LastPassSAML',
  'MiniOrangeSAML',
  'NetIqSAML',
  'OktaSAML',
  'OneLoginSAML',
  'OracleSAML',
  'PingFederateSAML',
  'PingOneSAML',
  'RipplingSAML',
  'SalesforceSAML',
  'ShibbolethGenericSAML',
  'ShibbolethSAML',
  'SimpleSamlPhpSAML',
  'TestIdp',
  'VMwareSAML',
] as const;

const OIDC_TYPES = ['CleverOIDC', 'EntraIdOIDC', 'GenericOIDC', 'GoogleOIDC', 'LoginGovOidc', 'OktaOIDC'] as const;

/**
 * Types of the contract that no operation can create: AdpOidc requires mutual TLS, and the others have a protocol that is
 * not supported.
 */
const OTHER_TYPES = [
  'Pending',
  'AdpOidc',
  'AppleOAuth',
  'Auth0Migration',
  'BitbucketOAuth',
  'GitHubOAuth',
  'GitLabOAuth',
  'GoogleOAuth',
  'IntuitOAuth',
  'LinkedInOAuth',
  'MagicLink',
  'MicrosoftOAuth',
  'SalesforceOAuth',
  'SlackOAuth',
  'VercelMarketplaceOAuth',
  'VercelOAuth',
  'XeroOAuth',
] as const;

/** The types of connections in the contract. */
export const CONNECTION_TYPES = [...SAML_TYPES, ...OIDC_TYPES, ...OTHER_TYPES] as const;

export type ConnectionType = (typeof CONNECTION_TYPES)[number];

/** The protocol of a type that callers can create; undefined for any other text. */
export function findProtocol(type: string): 'saml' | 'oidc' | undefined {
  if ((SAML_TYPES as readonly string[]).includes(type)) return 'saml';
  return (OIDC_TYPES as readonly string[]).includes(type) ? 'oidc' : undefined;
}

/** The spelling of a type in records, for a list filter in which the contract spells GitHub differently. */
export const recordedType = (type: string): string => (type === 'GithubOAuth' ? 'GitHubOAuth' : type);

/** The entity ids of identity providers by type, most specific first. */
const SAML_ISSUERS: readonly (readonly [RegExp, ConnectionType])[] = [
  [/^https?:\/\/(www\.)?okta\.com\//, 'OktaSAML'],
  [/^https:\/\/sts\.windows\.net\//, 'AzureSAML'],
  [/^https:\/\/accounts\.google\.com\/o\/saml2/, 'GoogleSAML'],
  [/^https:\/\/app\.onelogin\.com\//, 'OneLoginSAML'],
  [/^https:\/\/sso\.jumpcloud\.com\//, 'JumpCloudSAML'],
  [/^https:\/\/auth\.pingone\.[a-z.]+\//, 'PingOneSAML'],
  [/\/adfs\/services\/trust$/i, 'ADFSSAML'],
  [/^urn:[a-z0-9.-]+\.auth0\.com$/, 'Auth0SAML'],
  [/^https:\/\/[a-z0-9-]+\.cloudflareaccess\.com(\/|$)/, 'CloudflareSAML'],
  [/^https:\/\/[a-z0-9.-]+\.sso\.duosecurity\.com\//, 'DuoSAML'],
  [/^https:\/\/[a-z0-9.-]+\.my\.(idaptive\.app|cyberark\.cloud)\//, 'CyberArkSAML'],
  [/^https:\/\/[a-z0-9.-]+\.rippling\.com\//, 'RipplingSAML'],
  [/^https:\/\/[a-z0-9.-]+\.my\.salesforce\.com(\/|$)/, 'SalesforceSAML'],
  [/\/realms\/[^/]+$/, 'KeycloakSAML'],
  [/\/idp\/shibboleth$/, 'ShibbolethSAML'],
  [/\/saml2\/idp\/metadata\.php$/, 'SimpleSamlPhpSAML'],
  [/\/_local\/idp(\/|$)/, 'TestIdp'],
];

const OIDC_ISSUERS: readonly (readonly [RegExp, ConnectionType])[] = [
  [/^https:\/\/[a-z0-9-]+\.okta(preview|-emea)?\.com(\/|$)/, 'OktaOIDC'],
  [/^https:\/\/login\.microsoftonline\.com\//, 'EntraIdOIDC'],
  [/^https:\/\/accounts\.google\.com\/?$/, 'GoogleOIDC'],
  [/^https:\/\/clever\.com\/?$/, 'CleverOIDC'],
  [
    /^https:\/\/(secure|idp\.int\.identitysandbox)\.login\.gov\/?|^https:\/\/idp\.int\.identitysandbox\.gov\/?/,
    'LoginGovOidc',
  ],
];

/** The type of a connection without a named type, derived from its entity id or issuer. */
export function inferredType(protocol: 'saml' | 'oidc', issuer: string | undefined): ConnectionType {
  const known = protocol === 'saml' ? SAML_ISSUERS : OIDC_ISSUERS;
  const found = issuer === undefined ? undefined : known.find(([pattern]) => pattern.test(issuer));
  return found?.[1] ?? (protocol === 'saml' ? 'GenericSAML' : 'GenericOIDC');
}

/** The query parameter with the login hint in the SSO URL of a type; undefined if it has none. */
export function loginHintParameter(type: string): string | undefined {
  if (type === 'AzureSAML') return 'login_hint';
  if (type === 'ADFSSAML') return 'username';
  if (type === 'GoogleSAML') return 'Email';
  return type === 'OktaSAML' || type === 'TestIdp' ? 'login_hint' : undefined;
}
