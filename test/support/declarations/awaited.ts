/**
 * Errors that the contract declares and that cannot occur yet: by operation, then by code, with the area or feature that
 * makes them possible. Whoever builds that removes the line; a whole run of the tests then requires a test of the error.
 */
export const awaited: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // No records of signals are kept: every signals_id is accepted.
  'users.create': { not_found: 'records of signals' },
  // Every role is one of the organization until authorization brings resource types.
  'organization_memberships.create': { sub_resource_scoped_role_not_allowed: 'authorization' },
  'organization_memberships.update': { sub_resource_scoped_role_not_allowed: 'authorization' },
  // The contract names what single sign-on, consent to applications and passkeys will answer.
  'authentication.authenticate': {
    sso_required: 'sso',
    invalid_profile: 'sso',
    invalid_connection: 'sso',
    organization_authentication_methods_required: 'sso',
    extra_attributes_required: 'sso',
    pkce_not_supported: 'sso',
    application_consent_required: 'connect',
    passkey_progressive_enrollment: 'passkeys',
  },
};
