/**
 * Errors that the contract declares and that cannot occur, by operation and code, each with the reason. A change that makes one
 * possible removes its line; a complete test run then requires a test of the error.
 */
export const awaited: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'users.create': { not_found: 'the service stores no records of signals, so every signals_id is accepted' },
  'authentication.authenticate': {
    invalid_profile: 'the callback of single sign-on rejects such a profile before there is a code',
    invalid_connection: 'a code is issued only by an active connection',
    organization_authentication_methods_required:
      'a sign-in that the policy of an organization does not allow is rejected by sso_required',
    extra_attributes_required:
      'an environment cannot require attributes of a provider; a missing email is email_completion_required',
    pkce_not_supported: 'PKCE is supported for every client',
    application_consent_required: 'the hosted pages ask for consent before there is a code',
  },
};

/**
 * Events that no test causes by an operation, listed by the operation. Each is emitted by code that operations share,
 * and tests cause it by another one of them, or there is no test yet. A change that adds a test removes the line.
 */
export const unprovoked: Readonly<Record<string, readonly string[]>> = {
  // The operations on certificates share the code that can make a connection active again; reminders about renewals do not
  // exist yet.
  'saml_idp_signing_certs.create': ['connection.deactivated', 'connection.saml_certificate_renewed'],
  'saml_idp_signing_certs.delete': [
    'connection.activated',
    'connection.deactivated',
    'connection.saml_certificate_renewed',
  ],
  ...Object.fromEntries(
    [
      'saml_sp_encryption_certs.create',
      'saml_sp_encryption_certs.delete',
      'saml_sp_signing_cert.create',
      'saml_sp_signing_cert.delete',
    ].map((operation) => [
      operation,
      ['connection.activated', 'connection.deactivated', 'connection.saml_certificate_renewed'],
    ]),
  ),
  // New metadata can make a connection expire or active again, which is tested with the operations on certificates.
  'connections.update': ['connection.activated', 'connection.deactivated'],
  // The organization of a registration has no domains, but the function that stages it can also emit their events.
  'agent_identity.create': ['organization_domain.created'],
  // A session is revoked by the first proof of an address, which tests cause by other methods.
  'sso.continue': ['session.revoked'],
  // The events of a successful or failed sign-in are emitted by its continuation.
  'sso.start': ['authentication.sso_succeeded', 'authentication.sso_failed'],
  // A pending membership becomes active when its invitation is accepted: tested with invitations.accept.
  'authentication.authenticate': ['organization_membership.updated'],
  'pages.show_sign_in': ['organization_membership.updated'],
  'social.callback': ['invitation.accepted', 'organization_membership.created', 'organization_membership.updated'],
  // The tokens of a provider always connect an account; the list of events is that of all operations that write connected
  // accounts.
  'pipes.callback': [
    'pipes.connected_account.reauthorization_needed',
    'pipes.account_connection.reauthorization_needed',
  ],
  // A context that was mapped to another key is first used in an update.
  'vault.objects.update': ['vault.kek.created'],
  // Only keys of one organization have events.
  'vault.customer_keys.put': ['vault.byok_key.verification_completed'],
  'vault.customer_keys.delete': ['vault.byok_key.deleted'],
};
