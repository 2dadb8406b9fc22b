/**
 * Declared errors that cannot occur yet, with the area whose coming makes them possible: by operation, then by code. A line
 * goes when that area comes, and the run then asks for a test.
 */
export const awaited: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // Nothing is kept under a signals_id before radar.
  'users.create': { not_found: 'radar' },
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
