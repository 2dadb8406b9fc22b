/** The methods by which a session's user authenticated. */
export const AUTH_METHODS = [
  'cross_app_auth',
  'external_auth',
  'impersonation',
  'magic_code',
  'migrated_session',
  'oauth',
  'passkey',
  'password',
  'sso',
  'unknown',
] as const;

export type AuthMethod = (typeof AUTH_METHODS)[number];
