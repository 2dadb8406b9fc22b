import { type GrantedOperations, mergeOperations } from '../../../../kernel/authentication/granted-fields.ts';
import type { Intent } from '../intents.ts';

/** The operations of every session, for the name and the domains of the organization. */
const EVERY: GrantedOperations = {
  'organizations.get': {
    response: [
      'id',
      'name',
      'domains.id',
      'domains.domain',
      'domains.state',
      'domains.verification_prefix',
      'domains.verification_token',
    ],
  },
};

const DOMAINS: GrantedOperations = {
  'organization_domains.create': { body: ['organization_id', 'domain'], response: ['id'] },
  'organization_domains.delete': {},
  'organization_domains.verify': { response: ['id', 'domain', 'state'] },
};

const ROLES: GrantedOperations = { 'organization_roles.list': { response: ['data.slug', 'data.name'] } };

/** The provider of a SAML connection and its certificates, which both `sso` and `certificate_renewal` change. */
const SAML_PROVIDER: GrantedOperations = {
  'connections.list': { response: ['data.id', 'data.name', 'data.state', 'data.connection_type'] },
  'connections.update': {
    body: ['saml_options.idp_metadata_url', 'saml_options.idp_entity_id', 'saml_options.idp_sso_url'],
  },
  'sso_connections.get': {
    response: ['id', 'name', 'connection_type', 'state', 'updated_at', 'saml_options', 'oidc_options.client_id'],
  },
  'sso_connections.put_metadata': { body: ['metadata'] },
  'saml_idp_signing_certs.create': { body: ['value'] },
  'saml_idp_signing_certs.delete': {},
};

const CERTIFICATE = ['id', 'value', 'not_after'];

const SSO: GrantedOperations = {
  'connections.update': {
    body: [
      'attribute_maps.standard_attributes',
      'oidc_options.discovery_endpoint',
      'oidc_options.client_id',
      'oidc_options.client_secret',
      'oidc_options.fetch_user_info',
    ],
  },
  'connections.delete': {},
  'sso_connections.create_draft': { body: ['organization_id', 'name', 'connection_type'], response: ['id'] },
  'sso_connections.get': {
    response: [
      'oidc_options.discovery_endpoint',
      'oidc_options.client_secret_last_four',
      'oidc_options.redirect_uri',
      'attribute_maps.standard_attributes',
      'settings.group_roles',
    ],
  },
  'sso_connections.update': { body: ['state', 'settings.group_roles'] },
  'sso_test_sign_ins.create': { body: ['return_url'], response: ['url'] },
  'sso_attempts.list': {
    response: [
      'data.id',
      'data.kind',
      'data.outcome',
      'data.error',
      'data.checks',
      'data.claims',
      'data.profile',
      'data.consequence',
      'data.created_at',
      'data.updated_at',
    ],
  },
  'saml_sp_signing_cert.get': { response: CERTIFICATE },
  'saml_sp_signing_cert.create': {},
  'saml_sp_signing_cert.delete': {},
  'saml_sp_encryption_certs.list': { response: CERTIFICATE.map((name) => `data.${name}`) },
  'saml_sp_encryption_certs.create': {},
  'saml_sp_encryption_certs.delete': {},
};

const DIRECTORIES: GrantedOperations = {
  'directories.list': { response: ['data.id', 'data.name', 'data.state', 'data.type'] },
  'directories.create': { body: ['organization_id', 'name', 'type'], response: ['id'] },
  'directories.get_details': {
    response: [
      'id',
      'type',
      'state',
      'scim_url',
      'metadata',
      'custom_attributes',
      'group_roles',
      'tokens.id',
      'tokens.token_suffix',
      'tokens.created_at',
    ],
  },
  'directories.update': { body: ['custom_attributes', 'group_roles'] },
  'directory_tokens.create': { response: ['value'] },
  'directory_tokens.delete': {},
  'directory_users.list': { response: ['data.email', 'data.first_name', 'data.last_name', 'data.state'] },
  'directory_groups.list': { response: ['data.name'] },
};

const AUDIT_LOGS: GrantedOperations = {
  'audit_logs.create_export': { body: ['organization_id', 'range_start', 'range_end'], response: ['id'] },
  'audit_logs.get_export': { response: ['id', 'state', 'url'] },
  'audit_logs.list_exports': { response: ['data.id', 'data.state', 'data.range_start', 'data.range_end'] },
};

const LOG_STREAMS: GrantedOperations = {
  'audit_logs.get_stream': { response: ['type', 'state', 'destination', 'last_synced_at', 'last_error'] },
  'audit_logs.put_stream': {
    body: ['type', 'url', 'api_key', 'token', 'bucket', 'region', 'prefix', 'access_key_id', 'secret_access_key'],
    response: ['secret'],
  },
  'audit_logs.delete_stream': {},
};

const CUSTOMER_KEYS: GrantedOperations = {
  'vault.customer_keys.list': { response: ['data.id', 'data.key_arn', 'data.updated_at'] },
  'vault.customer_keys.put': { body: ['context_entry', 'key_arn'] },
  'vault.customer_keys.delete': {},
};

/**
 * The operations that the pages of each task call, with the members that they send and show. An operation or member
 * that is not here is for API keys only.
 */
const OF_INTENT: Readonly<Record<Intent, readonly GrantedOperations[]>> = {
  domain_verification: [DOMAINS],
  sso: [DOMAINS, SAML_PROVIDER, SSO, ROLES],
  dsync: [DOMAINS, DIRECTORIES, ROLES],
  certificate_renewal: [SAML_PROVIDER],
  audit_logs: [AUDIT_LOGS],
  log_streams: [LOG_STREAMS],
  bring_your_own_key: [CUSTOMER_KEYS],
};

/** The operations and members that a session with some tasks has. */
export const grantedOperations = (intents: readonly Intent[]): GrantedOperations =>
  mergeOperations([EVERY, ...intents.flatMap((intent) => OF_INTENT[intent])]);
