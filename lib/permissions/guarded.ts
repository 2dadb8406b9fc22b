/**
 * Kinds of rows that let their holder act as a user, or that decide who may: each with the functions that may write it. Another function
 * that begins to write one is rejected by `npm run permissions` until it is added here, where the review sees it.
 */
export const guardedKinds: Readonly<Record<string, readonly string[]>> = {
  // Credentials of the vendor, and what gives access to the console.
  'console-link': ['console-http', 'stage-first-key'],
  'console-secret': ['console-http'],
  'console-session': ['console-http'],
  'console-sign-in': ['console-http'],
  credential: ['events-http', 'platform-http', 'stage-first-key'],
  grant: ['audit-logs-collect', 'audit-logs-http', 'audit-logs-process', 'console-http'],
  'signing-keys': ['agents-http', 'authentication-http', 'connect-http', 'sessions-http', 'widgets-http'],
  team: ['platform-http'],
  // Credentials of organizations and applications.
  'agent-registration': ['agents-expire', 'agents-http', 'erasure-erase', 'pages-http'],
  'agent-session': ['agents-http', 'agents-work', 'connect-http', 'erasure-erase'],
  'api-key': ['agents-expire', 'agents-http', 'api-keys-http', 'erasure-erase'],
  'connect-client-secret': ['connect-http'],
  'directory-token': ['directory-sync-http'],
  'portal-grant': ['portal-http'],
  'portal-link': ['portal-http'],
  'portal-secret': ['portal-http'],
  'portal-session': ['portal-http'],
  connection: ['sso-check-connections', 'sso-http', 'sso-work'],
  // Credentials of users. The functions that sign in change the password of an address that was not verified, and directories
  // end the credentials of a person who is removed.
  'account-link': ['account-http', 'console-http'],
  'authorization-code': ['authentication-http', 'pages-http', 'social-http', 'sso-http'],
  'connect-grant': ['connect-http', 'pages-http'],
  'factor-reset': ['account-http', 'account-reset-factors', 'mfa-http', 'passkeys-http'],
  'magic-auth': ['pages-http', 'user-management-http'],
  password: [
    'account-http',
    'authentication-http',
    'directory-sync-http',
    'directory-sync-work',
    'pages-http',
    'social-http',
    'sso-http',
    'user-management-http',
  ],
  'password-reset': ['pages-http', 'user-management-http'],
  'session-locator': ['authentication-http'],
  'trusted-browsers': ['account-http', 'pages-http', 'sessions-http'],
};
