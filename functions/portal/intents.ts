/** The tasks of the portal, in the order of its overview. */
export const INTENTS = [
  'domain_verification',
  'sso',
  'dsync',
  'certificate_renewal',
  'audit_logs',
  'log_streams',
  'bring_your_own_key',
] as const;

/** A task of the portal. */
export type Intent = (typeof INTENTS)[number];

const DOMAINS = ['organization_domains.create', 'organization_domains.delete', 'organization_domains.verify'] as const;

/** The operations of the API that each task calls, in addition to those of every session. */
const OPERATIONS: Readonly<Record<Intent, readonly string[]>> = {
  domain_verification: DOMAINS,
  sso: [
    ...DOMAINS,
    'connections.list',
    'connections.update',
    'connections.delete',
    'sso_connections.create_draft',
    'sso_connections.get',
    'sso_connections.update',
    'sso_connections.put_metadata',
    'sso_test_sign_ins.create',
    'sso_attempts.list',
    'saml_idp_signing_certs.create',
    'saml_idp_signing_certs.delete',
    'saml_sp_signing_cert.get',
    'saml_sp_signing_cert.create',
    'saml_sp_signing_cert.delete',
    'saml_sp_encryption_certs.list',
    'saml_sp_encryption_certs.create',
    'saml_sp_encryption_certs.delete',
    'organization_roles.list',
  ],
  dsync: [
    ...DOMAINS,
    'directories.list',
    'directories.create',
    'directories.get_details',
    'directories.update',
    'directory_tokens.create',
    'directory_tokens.delete',
    'directory_users.list',
    'directory_groups.list',
    'organization_roles.list',
  ],
  certificate_renewal: [
    'connections.list',
    'connections.update',
    'sso_connections.get',
    'sso_connections.put_metadata',
    'saml_idp_signing_certs.create',
    'saml_idp_signing_certs.delete',
  ],
  audit_logs: ['audit_logs.create_export', 'audit_logs.get_export', 'audit_logs.list_exports'],
  log_streams: ['audit_logs.get_stream', 'audit_logs.put_stream', 'audit_logs.delete_stream'],
  bring_your_own_key: ['vault.customer_keys.list', 'vault.customer_keys.put', 'vault.customer_keys.delete'],
};

/** The ids of the operations that a session with some tasks may call. */
export const operationsFor = (intents: readonly Intent[]): string[] => [
  ...new Set(['organizations.get', ...intents.flatMap((intent) => OPERATIONS[intent])]),
];

/** The tasks in an IT contact's invitation, which the contract names differently. */
export const intentsOfInvitation = (invited: readonly string[]): Intent[] => {
  const named = invited.map((name) => (name === 'directory_sync' ? 'dsync' : name));
  return INTENTS.filter((intent) => named.includes(intent));
};
