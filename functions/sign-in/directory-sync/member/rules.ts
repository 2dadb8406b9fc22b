import { coversAccount, may, organizationWord, ownsAddress } from '../../../tenancy/modules/trust/public.ts';

/** An organization with its domains. */
type Domains = Parameters<typeof coversAccount>[0];

/** An account, or the one that is to be created. */
type Account = Parameters<typeof coversAccount>[1];

/** The membership of an account in the directory's organization. */
export type MembershipState =
  | 'none'
  | 'pending'
  | 'active'
  /** The directory itself has made it inactive. */
  | 'left'
  /** An administrator has made it inactive. */
  | 'deactivated'
  /** The person or an administrator has removed it, and the person has accepted no invitation since. */
  | 'removed';

/**
 * Reports whether the organization's word covers an account once the directory has proved its address. A directory proves only
 * addresses at domains of its own organization, and only of an account that has the address now.
 * @param email the address that the directory sends
 */
export const coversByDirectory = (organization: Domains, account: Account, email: string): boolean =>
  coversAccount(organization, {
    email: account.email,
    emailVerified: account.emailVerified || (account.email === email && ownsAddress(organization, email)),
  });

/** The membership as the rules of trust see it: what the directory itself has ended, it may begin again. */
const MEMBERSHIP = {
  none: 'none',
  pending: 'pending',
  active: 'active',
  left: 'none',
  deactivated: 'inactive',
  removed: 'none',
} as const satisfies Record<MembershipState, string>;

/** A person who joins an organization by its directory, or returns to it. */
export interface Joining {
  organizationId: string;
  provisioning: 'off' | 'domain' | 'all';
  /** True if the organization's word covers the account, see {@link coversByDirectory}. */
  isCovered: boolean;
  state: MembershipState;
  /** The time of the directory's call, in milliseconds since the epoch. */
  at: number;
}

/**
 * Decides what a directory makes of a person's membership: active, pending with an invitation, or nothing. The address that the
 * directory sends decides nothing.
 */
export function decideJoining(joining: Joining): 'active' | 'invited' | 'unchanged' {
  const { organizationId, provisioning, isCovered, state, at } = joining;
  if (provisioning === 'off' || (!isCovered && provisioning !== 'all')) return 'unchanged';
  const verdict = may([{ method: 'directory', word: organizationWord(organizationId), at }], {
    act: 'join',
    organizationId,
    membership: MEMBERSHIP[state],
    isInvited: false,
    wasEnded: state === 'removed',
    covering: isCovered ? [organizationId] : [],
  });
  if (verdict.isAllowed) return 'active';
  return provisioning === 'all' && state !== 'deactivated' ? 'invited' : 'unchanged';
}

/**
 * Reports whether a directory changes the account of a member, such as its names, in addition to the membership.
 * @param at the time of the directory's call, in milliseconds since the epoch
 */
export const mayGovernAccount = (
  organization: Domains & { id: string },
  account: Account,
  membership: 'pending' | 'active' | 'inactive' | undefined,
  at: number,
): boolean =>
  may([{ method: 'directory', word: organizationWord(organization.id), at }], {
    act: 'govern',
    organizationId: organization.id,
    membership: membership ?? 'none',
    covering: coversAccount(organization, account) ? [organization.id] : [],
  }).isAllowed;
