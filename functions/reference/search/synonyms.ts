/** Groups of words with the same meaning: what people type, and what the reference says. */
const GROUPS: readonly (readonly string[])[] = [
  ['login', 'log-in', 'signin', 'sign-in', 'sign', 'authenticate', 'authentication'],
  ['logout', 'log-out', 'signout', 'sign-out'],
  ['signup', 'sign-up', 'register', 'registration'],
  ['totp', 'authenticator', 'otp', '2fa', 'mfa', 'two-factor', 'multi-factor'],
  ['magic', 'passwordless', 'magic_auth', 'link'],
  ['link', 'url'],
  ['page', 'paging', 'paginate', 'pagination', 'cursor', 'after'],
  ['throttle', 'throttling', 'rate', '429', 'retry-after', 'quota'],
  ['limit', 'limits'],
  ['idempotency', 'idempotent', 'idempotency-key', 'duplicate'],
  ['webhook', 'webhooks', 'hook', 'callback'],
  ['signature', 'signatures', 'hmac', 'signed', 'verify'],
  ['team', 'tenant', 'workspace', 'organization', 'organizations', 'org', 'company', 'customer'],
  ['member', 'members', 'membership', 'memberships'],
  ['sso', 'saml', 'oidc', 'single', 'sign-on', 'connection'],
  ['scim', 'directory', 'dsync', 'provisioning'],
  ['social', 'google', 'github', 'microsoft', 'provider', 'oauth'],
  ['permission', 'permissions', 'role', 'roles', 'rbac', 'authorization'],
  ['key', 'keys', 'token', 'tokens', 'secret', 'credential'],
  ['jwt', 'jwks', 'token', 'claims'],
  ['remove', 'delete', 'revoke', 'erase', 'erasure', 'deletion'],
  ['person', 'user'],
  ['rotate', 'rotation', 'replace', 'promote', 'leaked', 'compromised'],
  ['retry', 'retries', 'repeat', 'repeated', 'timeout', 'idempotency'],
  ['clock', 'time-travel', 'advance', 'wait'],
  ['invalid', 'validation', '400', '422', 'rejected'],
  ['list', 'search', 'find', 'filter', 'read'],
  ['siem', 'stream', 'streams', 'splunk', 'datadog'],
  ['self-serve', 'self-service', 'portal', 'setup'],
  ['outage', 'down', 'unavailable'],
  ['conflict', '409', 'already', 'taken', 'exists', 'duplicate', 'unique'],
  ['allowed', 'permitted', 'check', 'permission', 'authorization'],
  ['m2m', 'client_credentials', 'machine-to-machine', 'service-account'],
  ['gdpr', 'privacy', 'delete', 'erase', 'erasure'],
  ['expiry', 'expiration', 'expire', 'expires', 'expired', 'lifetime', 'ttl', 'duration', 'last'],
  ['reuse', 'reused', 'replaced', 'stolen'],
  ['downtime', 'overlap'],
  ['immediately', 'everywhere', 'emergency'],
  ['backup', 'recovery'],
  ['error', 'errors', 'code', 'codes', 'failure', 'exception'],
  ['400', '401', '403', '404', '409', '422', '429', '500', '503', 'status', 'errors'],
  ['sms', 'phone', 'text'],
  ['mail', 'email', 'e-mail'],
  ['flag', 'flags', 'toggle', 'feature'],
  ['require', 'enforce', 'force', 'mandatory', 'policy'],
  ['attempt', 'attempts', 'guess', 'brute'],
  ['log', 'logs', 'audit'],
  ['sdk', 'client', 'library', 'node', 'python', 'java', 'go'],
  ['create', 'add', 'new', 'make', 'register', 'generate', 'store', 'issue', 'mint'],
  ['send', 'invite', 'invitation'],
  ['update', 'change', 'edit', 'modify', 'rename', 'set', 'replace', 'configure', 'customize'],
  ['stop', 'suspend', 'disable', 'deactivate', 'block', 'pause', 'halt', 'kill'],
  ['enable', 'activate', 'reactivate'],
  ['start', 'begin', 'initiate'],
  ['check', 'validate', 'verify', 'introspect'],
  ['assign', 'grant', 'give'],
  ['read', 'fetch', 'retrieve', 'show', 'get'],
  ['resend', 'redeliver', 'replay'],
  ['poll', 'polling', 'list'],
  ['forgot', 'forgotten', 'lost', 'reset', 'send'],
  ['unlock', 'lockout', 'locked', 'lift', 'limits'],
  ['explain', 'why'],
  ['denied', 'deny', 'forbidden', '403'],
  ['css', 'style'],
  ['passkey', 'passkeys', 'webauthn', 'fido2'],
];

/** Words of questions and sentences that say nothing about their subject: the search leaves them out. */
export const COMMON: readonly string[] = (
  'a about after all also am an and any are as at be been before by can cannot could did do does for from get got had has have how i if in ' +
  'into is it its just let long many me my need needs of on one or our should so some than that the their them then there these they this through to us want was ' +
  'we were what when where which who will with without would you your'
).split(' ');

/**
 * Phrases of several words with one meaning, and the words that replace them. One that begins with `^` counts only at the beginning of a
 * query: “can a user edit …” asks for a check, “why can a user not sign in” does not.
 */
export const PHRASES: Readonly<Record<string, string>> = {
  gdpr: 'delete user data',
  'page through': 'pagination',
  'idempotency key': 'idempotency',
  'kill switch': 'stop',
  'cut off': 'stop sign-out everywhere',
  'lock out': 'stop sign-out everywhere',
  'backup code': 'recovery code',
  'backup codes': 'recovery codes',
  'unverified email': 'email verification',
  'in use': 'taken',
  'already exists': 'taken',
  'already taken': 'taken',
  'already used': 'taken',
  'already registered': 'taken',
  'allowed to': 'permission check',
  '^can this user': 'check permission',
  '^can a user': 'check permission',
  '^can user': 'check permission',
  '^may a user': 'check permission',
  '^may user': 'check permission',
  '^is user allowed': 'check permission',
  '^is a user allowed': 'check permission',
};

/** For each word the other words of its groups. */
export const SYNONYMS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [...new Set(GROUPS.flat())].map((word) => [
    word,
    [...new Set(GROUPS.filter((group) => group.includes(word)).flat())].filter((other) => other !== word),
  ]),
);
