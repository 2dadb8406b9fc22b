/** A number of operations from which a list of them says nothing: such an error belongs to all calls. */
export const MANY_OPERATIONS = 100;

/** The texts of the pages of error codes in addition to their operations, in Markdown. */
const ERRORS: Readonly<Record<string, string>> = {
  mfa_challenge:
    'The body of this response and the request that follows: ' +
    '[Password and TOTP](/docs/guides/sign-in#password-and-totp-the-second-request-mfa_challenge).',
  rate_limit_exceeded:
    'Any call can get a 429: that of the limit for all requests to the stage has no code, those of limits of single operations have this one or one of ' +
    'their own. Treat every 429 alike and wait for the seconds of `Retry-After`: [Rate limits](/docs/guides/rate-limits).',
  email_not_available:
    'The creation of a user with a taken address responds with another code: [`user_creation_error`](/docs/errors/user_creation_error).',
  user_creation_error:
    'The change of a user to a taken address responds with another code: [`email_not_available`](/docs/errors/email_not_available).',
};

/** When an event is emitted, where the list of operations does not say it, by the name of the event or the part before its verb. */
const EVENTS: Readonly<Record<string, string>> = {
  'dsync.user.deleted':
    'It is emitted when the provider deletes the user by SCIM: `state` is then the last one of the user, such as `active`. It is also emitted, with the ' +
    'state `inactive`, when the user becomes inactive, by SCIM or because a [snapshot](/docs/guides/directory-sync#snapshots) does not have it, unless the directory keeps inactive users ' +
    '(`inactive_users: keep`). The user no longer exists in the API afterwards. The deletion of a directory emits only `dsync.deleted`.',
  'dsync.user':
    'It is emitted for a change by SCIM, and by the worker that applies a [snapshot](/docs/guides/directory-sync#snapshots).',
  'dsync.group.user_added':
    'It is also emitted for each group of a user who becomes active again after a deletion, by SCIM or by a ' +
    '[snapshot](/docs/guides/directory-sync#snapshots).',
};

/** Events that only work in the background emits, and when. */
const BACKGROUND: Readonly<Record<string, string>> = {
  'agent.registration.deleted':
    'It is emitted when a registration is removed with its organization, such as one that expired without a claim.',
  'agent.registration.expired': 'It is emitted when a registration was not claimed in its time.',
  'authentication.sso_timed_out':
    'It is emitted when the identity provider has not responded to a sign-in within ten minutes, five minutes later at most.',
  'connection.saml_certificate_renewal_required':
    'It is emitted 90, 60, 30, 14, 7 and 1 days before the last valid certificate of the identity provider expires, and when it expires.',
  'organization_domain.verification_failed':
    'It is emitted when another organization has verified the domain first, or no DNS record was found in 30 days; `reason` says which.',
  'resource_export.completed': 'It is emitted when the file of an export is ready.',
  'resource_export.failed': 'It is emitted when an export could not be finished.',
  'vault.kek.deleted': 'It is emitted when a key that encrypted values of the vault was destroyed.',
};

/** The text for the page of an error code; empty if there is none. */
export const errorNote = (code: string): string => ERRORS[code] ?? '';

/** The text for the page of an event; empty if there is none. */
export const eventNote = (name: string): string =>
  EVENTS[name] ?? BACKGROUND[name] ?? EVENTS[name.split('.').slice(0, -1).join('.')] ?? '';
