import { DAY_MS } from '../../../../kernel/durations.ts';
import type { OrganizationMembershipRecord } from '../../../../tenancy/modules/memberships/public.ts';
import type { Facts } from './facts.ts';
import type { Line } from './line.ts';

const line = (members: Omit<Line, 'check'>): Line => ({ check: 'membership', ...members });

/** The memberships: in the named organization, otherwise whether any is active. */
export function explainMemberships({ user, named, memberships }: Facts): Line[] {
  if (user === undefined) return [];
  if (named !== undefined && !named.exists) {
    return [
      line({
        status: 'stops',
        reason: 'organization_missing',
        message: `There is no organization ${named.id}.`,
        source: '/organizations',
        changedBy: 'none',
        remedy: 'Have the application send the id of an existing organization.',
      }),
    ];
  }
  const meant = memberships.filter(({ organizationId }) => named === undefined || organizationId === named.id);
  const source = `/user_management/organization_memberships?user_id=${user.id}`;
  if (meant.length === 0) {
    return [
      line({
        status: named === undefined ? 'notice' : 'stops',
        reason: 'membership_missing',
        message: named === undefined ? 'The user is in no organization.' : `The user is not a member of ${named.id}.`,
        source,
        changedBy: 'operator',
        remedy: 'Make the user a member, or invite them to the organization.',
      }),
    ];
  }
  const active = meant.filter(({ status }) => status === 'active');
  if (active.length === 0) return meant.slice(0, 5).map((membership) => explainInactive(membership));
  return [
    line({
      status: active.length > 1 ? 'asks' : 'passed',
      reason: active.length > 1 ? 'organization_selection' : 'membership_active',
      message:
        active.length > 1
          ? `The user chooses one of ${active.length} organizations.`
          : `The user is a member of ${active[0]?.organizationId ?? ''}.`,
      time: active.length > 1 ? undefined : active[0]?.createdAt,
      source,
      changedBy: 'operator',
    }),
  ];
}

function explainInactive({
  id,
  organizationId,
  status,
  directoryManaged,
  updatedAt,
}: OrganizationMembershipRecord): Line {
  const isPending = status === 'pending';
  return line({
    status: 'stops',
    reason: isPending
      ? 'membership_pending'
      : directoryManaged
        ? 'membership_inactive_by_directory'
        : 'membership_inactive',
    message: isPending
      ? `The membership in ${organizationId} is pending: the invitation was not accepted.`
      : `The membership in ${organizationId} is inactive${directoryManaged ? ' and managed by a directory' : ''}.`,
    time: updatedAt,
    source: `/user_management/organization_memberships/${id}`,
    changedBy: isPending ? 'user' : directoryManaged ? 'identity_provider' : 'operator',
    remedy: isPending
      ? 'Accept or resend the invitation.'
      : directoryManaged
        ? 'Assign the person to the application again at the identity provider.'
        : 'Reactivate the membership.',
  });
}

/** The codes of lines for failed proofs, by the type of the event. */
const FAILED: Readonly<Record<string, [reason: string, message: string]>> = {
  password: ['password_wrong', 'The last attempt had a wrong password'],
  magic_auth: ['code_wrong', 'The last mailed code was wrong, used or expired'],
  mfa: ['factor_code_wrong', 'The last code of the second factor was rejected'],
  email_verification: ['verification_code_wrong', 'The last code for the address was rejected'],
  oauth: ['provider_failed', 'The last sign-in through a provider was rejected'],
  passkey: ['passkey_failed', 'The last passkey was rejected'],
  sso: ['sso_failed', 'The last single sign-on was rejected'],
};

/** The last result among the events of a day: a failed proof, or the rejection by the environment's action. */
export function explainHistory({ events, now, user, email }: Facts): Line[] {
  const last = events.find(
    ({ name, at }) =>
      now - Date.parse(at) < DAY_MS &&
      /^(authentication\..*_(failed|succeeded)|action\.authentication\.denied)$/.test(name),
  );
  if (last === undefined) return [];
  const source = `/x/events?subject=${user?.id ?? encodeURIComponent(email)}`;
  const history = (members: Omit<Line, 'check' | 'time' | 'source'>): Line[] => [
    { check: 'history', time: last.at, source, ...members },
  ];
  if (last.name === 'action.authentication.denied') {
    return history({
      status: 'stops',
      reason: 'action_denied',
      message: 'The environment’s own action has denied the last sign-in.',
      changedBy: 'environment',
      remedy: `Look at the execution ${String(last.data.action_execution_id)} of the action.`,
    });
  }
  const type = String(last.data.type);
  const { code = 'unknown', message = '' } = (last.data.error ?? {}) as { code?: string; message?: string };
  const [reason, sentence] = FAILED[type] ?? ['sign_in_failed', 'The last sign-in failed'];
  if (last.name.endsWith('_succeeded')) {
    return history({
      status: 'passed',
      reason: 'last_proof_succeeded',
      message: `The last proof (${type}) was accepted.`,
      changedBy: 'none',
    });
  }
  return history({
    status: 'notice',
    reason,
    message: `${sentence} (${code}): ${message}`,
    changedBy: 'user',
  });
}
