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

/** The text for the page of an error code; empty if there is none. */
export const errorNote = (code: string): string => ERRORS[code] ?? '';

/** The text for the page of an event; empty if there is none. */
export const eventNote = (name: string): string => EVENTS[name] ?? EVENTS[name.split('.').slice(0, -1).join('.')] ?? '';
