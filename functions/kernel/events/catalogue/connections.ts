import * as z from 'zod';
import type { EventFamily } from './family.ts';
import { text, timestamp } from './values.ts';

/** The identity provider of a connection. */
export const ConnectionType = z.enum([
  'ADFSSAML',
  'AdpOidc',
  'AppleOAuth',
  'Auth0Migration',
  'Auth0SAML',
  'AzureSAML',
  'BitbucketOAuth',
  'CasSAML',
  'ClassLinkSAML',
  'CleverOIDC',
  'CloudflareSAML',
  'CyberArkSAML',
  'DuoSAML',
  'EntraIdOIDC',
  'GenericOIDC',
  'GenericSAML',
  'GitHubOAuth',
  'GitLabOAuth',
  'GoogleOAuth',
  'GoogleOIDC',
  'GoogleSAML',
  'IntuitOAuth',
  'JumpCloudSAML',
  'KeycloakSAML',
  'LastPassSAML',
  'LinkedInOAuth',
  'LoginGovOidc',
  'MagicLink',
  'MicrosoftOAuth',
  'MiniOrangeSAML',
  'NetIqSAML',
  'OktaOIDC',
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
  'SalesforceOAuth',
  'SlackOAuth',
  'TestIdp',
  'VercelMarketplaceOAuth',
  'VercelOAuth',
  'VMwareSAML',
  'XeroOAuth',
]);

const DeletedConnection = z.object({
  object: z.literal('connection'),
  id: text,
  state: z.enum(['draft', 'active', 'validating', 'inactive', 'deleting']),
  name: text,
  connection_type: ConnectionType,
  organization_id: text.optional(),
  created_at: timestamp,
  updated_at: timestamp,
});

const ConnectionRecord = DeletedConnection.extend({
  external_key: text,
  status: z.enum(['linked', 'unlinked']),
  domains: z.array(z.object({ object: z.literal('connection_domain'), id: text, domain: text })),
});

const NamedConnection = z.object({ id: text, organization_id: text.optional() });

const Certificate = z.object({
  certificate_type: z.enum(['ResponseSigning', 'RequestSigning', 'ResponseEncryption']),
  expiry_date: timestamp,
});

const RenewalRequired = z.object({
  connection: NamedConnection,
  certificate: Certificate.extend({ is_expired: z.boolean() }),
  days_until_expiry: z.int(),
});

const Renewed = z.object({ connection: NamedConnection, certificate: Certificate, renewed_at: timestamp });

/** Single sign-on connections and their certificates. */
export const connectionEvents = {
  'connection.activated': { data: ConnectionRecord, subscribable: true },
  'connection.deactivated': { data: ConnectionRecord, subscribable: true },
  'connection.deleted': { data: DeletedConnection, subscribable: true },
  'connection.saml_certificate_renewal_required': { data: RenewalRequired, subscribable: true },
  'connection.saml_certificate_renewed': { data: Renewed, subscribable: true },
} as const satisfies EventFamily<'connection.'>;
