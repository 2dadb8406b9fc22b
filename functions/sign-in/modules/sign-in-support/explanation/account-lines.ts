import { allSso, type Facts, hasOwnMethod } from './facts.ts';
import { type Line, SETTINGS } from './line.ts';

const line = (members: Omit<Line, 'check'>): Line => ({ check: 'account', ...members });

/** The account, or the ways in which the address could get one. */
export function explainAccount({ user, email, events, invitations, settings }: Facts): Line[] {
  if (user !== undefined) {
    const source = `/user_management/users/${user.id}`;
    return [
      line({
        status: 'passed',
        reason: 'account_found',
        message: `The address ${email} has an account.`,
        time: user.createdAt,
        source,
        changedBy: 'operator',
      }),
    ];
  }
  const deleted = events.find(({ name }) => name === 'user.deleted');
  if (deleted !== undefined) {
    return [
      line({
        status: 'stops',
        reason: 'account_deleted',
        message: 'The account was deleted.',
        time: deleted.at,
        source: `/x/events?subject=${String(deleted.data.id)}`,
        changedBy: 'operator',
        remedy: 'Create the user again, or invite the address.',
      }),
    ];
  }
  return [
    line({
      status: 'stops',
      reason: 'account_missing',
      message: `The address ${email} has no account. Ask for other addresses of the person.`,
      source: '/user_management/users',
      changedBy: 'operator',
      remedy: 'Create the user, or invite the address.',
    }),
    ...(settings.sign_up
      ? []
      : [
          line({
            status: 'notice',
            reason: 'sign_up_disabled',
            message: 'Users cannot sign up without an invitation.',
            source: SETTINGS,
            changedBy: 'environment',
            remedy: 'Invite the address, or enable `sign_up`.',
          }),
        ]),
    ...invitations.slice(0, 3).map(({ id, state, endsAt }) =>
      line({
        status: state === 'pending' ? 'asks' : 'notice',
        reason: `invitation_${state}`,
        message:
          state === 'pending'
            ? 'An invitation to the address is pending: its link creates the account.'
            : `An invitation to the address is ${state}.`,
        time: endsAt,
        source: `/user_management/invitations/${id}`,
        changedBy: state === 'pending' ? 'user' : 'operator',
        remedy: state === 'pending' ? 'Resend the invitation if the mail is lost.' : 'Send a new invitation.',
      }),
    ),
  ];
}

/** The methods that the user has and the environment disables, or the reverse. */
export function explainMethods(facts: Facts): Line[] {
  const { user, settings, hasPassword, providers, passkeys } = facts;
  if (user === undefined) return [];
  const { methods } = settings;
  const method = (members: Pick<Line, 'status' | 'reason' | 'message'> & Partial<Line>): Line => ({
    check: 'method',
    source: SETTINGS,
    changedBy: 'environment',
    ...members,
  });
  const lines: Line[] = [];
  if (hasPassword && !methods.password)
    lines.push(
      method({
        status: 'notice',
        reason: 'password_disabled',
        message: 'The user has a password, but passwords are disabled.',
      }),
    );
  if (!hasPassword && methods.password)
    lines.push(
      method({
        status: 'notice',
        reason: 'password_missing',
        message: 'The user has no password: every password is rejected.',
        source: `/user_management/users/${user.id}`,
        changedBy: 'user',
        remedy: 'Send a password reset, which sets one.',
      }),
    );
  if (!methods.magic_auth)
    lines.push(method({ status: 'notice', reason: 'magic_auth_disabled', message: 'Codes by mail are disabled.' }));
  if (providers.length > 0 && !methods.social)
    lines.push(
      method({
        status: 'notice',
        reason: 'social_disabled',
        message: `The user has linked ${providers.join(', ')}, but providers are disabled.`,
      }),
    );
  if (passkeys.length > 0 && !methods.passkey)
    lines.push(
      method({
        status: 'notice',
        reason: 'passkey_disabled',
        message: 'The user has a passkey, but passkeys are disabled.',
      }),
    );
  const hasSso = allSso(facts).some(({ connections }) => connections.some(({ state }) => state === 'active'));
  if (!hasOwnMethod(facts) && !methods.magic_auth && !hasSso)
    lines.push(
      method({
        status: 'stops',
        reason: 'no_usable_method',
        message: 'None of the enabled sign-in methods is one that the user has.',
        remedy: 'Enable a method that the user has, or codes by mail.',
      }),
    );
  return lines;
}
