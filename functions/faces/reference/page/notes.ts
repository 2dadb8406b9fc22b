/** A number of operations from which a list of them says nothing: such an error belongs to all calls. */
export const MANY_OPERATIONS = 100;

const ALL_LIMITS = 'All limits: [Rate limits](/docs/guides/rate-limits).';

/** The texts of the pages of error codes in addition to their operations, in Markdown. */
const ERRORS: Readonly<Record<string, string>> = {
  mfa_challenge:
    'The body of this response and the request that follows: ' +
    '[Password and TOTP](/docs/guides/sign-in#password-and-totp-the-second-request-mfa_challenge).',
  rate_limit_exceeded:
    'Any call can get a 429: that of the limit for all requests to the stage has no code, those of limits of single operations have this one or one of ' +
    'their own. Treat every 429 alike and wait for the seconds of `Retry-After`: [Rate limits](/docs/guides/rate-limits).',
  idempotency_error:
    'If the message says that the call was executed and its response was too large to be stored, do not send it again: read the record instead. Otherwise the key was used with other ' +
    'content: use a new key for a new request. See [Idempotency](/docs/guides/idempotency).',
  too_many_requests: ALL_LIMITS,
  daily_quota_exceeded: ALL_LIMITS,
  email_not_available:
    'The creation of a user with a taken address responds with the code [`user_creation_error`](/docs/errors/user_creation_error), and has this one for the field in `errors`.',
  user_creation_error:
    'The change of a user to a taken address responds with another code: [`email_not_available`](/docs/errors/email_not_available).',
};

/** When an event is emitted, where the list of operations does not say it, by the name of the event or the part before its verb. */
const EVENTS: Readonly<Record<string, string>> = {
  'dsync.user.deleted':
    'It is emitted when the provider deletes the user by SCIM: `state` is then the last one of the user, such as `active`. It is also emitted, with the ' +
    'state `inactive`, when the user becomes inactive, by SCIM or because a [snapshot](/docs/guides/directory-sync#snapshots) does not have it, unless the directory keeps inactive users ' +
    '(`inactive_users: keep`). The directory user is then no longer in `/directory_users`; the user of ' +
    '`/user_management/users` stays. The deletion of a directory emits only `dsync.deleted`.\n\nWhat the service has done for a member that the directory provides (`provisioning`): it has deactivated the membership (event ' +
    '`organization_membership.updated`, status `inactive`), reset its roles and revoked the sessions in that organization; access tokens that were issued stay valid until they expire, five minutes by ' +
    'default. What your application does: end its own sessions and access of that person, found by the `idp_id` or the email of the payload. With `inactive_users: keep` handle ' +
    '`dsync.user.updated` with the state `inactive` in the same way. See [Members of the organization](/docs/guides/directory-sync#members-of-the-organization).',
  'dsync.group.user_removed':
    'The user left the group, not the directory: for that see [`dsync.user.deleted`](/docs/event-types/dsync.user.deleted).',
  'dsync.user':
    'It is emitted for a change by SCIM, and by the worker that applies a [snapshot](/docs/guides/directory-sync#snapshots).',
  'dsync.group.user_added':
    'It is also emitted for each group of a user who becomes active again after a deletion, by SCIM or by a ' +
    '[snapshot](/docs/guides/directory-sync#snapshots).',
  // Only work in the background emits the following ones.
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
export const eventNote = (name: string): string => EVENTS[name] ?? EVENTS[name.split('.').slice(0, -1).join('.')] ?? '';
