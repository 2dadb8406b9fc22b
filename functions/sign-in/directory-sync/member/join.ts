import { awaitAll } from '../../../kernel/concurrency.ts';
import { clock } from '../../../kernel/clock.ts';
import { proveEmail } from '../../../proofs/modules/email-proofs/public.ts';
import { inviteGuest } from '../../../tenancy/modules/invitations/public.ts';
import {
  findMembership,
  type OrganizationMembershipRecord,
  rolesOfMemberships,
  stageMembership,
  stageMembershipChange,
  wasMembershipEnded,
} from '../../../tenancy/modules/memberships/public.ts';
import { findOrganization } from '../../../tenancy/organizations/public.ts';
import {
  findUser,
  getUserByEmail,
  stageUser,
  stageUserChange,
  type UserRecord,
} from '../../../tenancy/modules/users/public.ts';
import type { DirectoryRecord } from '../directory/entity.ts';
import type { DirectoryUserRecord } from '../user/entity.ts';
import { readNames } from '../user/schema.ts';
import type { Link, ProvisioningUnit } from './link.ts';
import { coversByDirectory, decideJoining, type MembershipState } from './rules.ts';

/** The names of a directory user, as far as the directory has them. */
export function wantedNames({ resource }: DirectoryUserRecord) {
  const { first, last, full } = readNames(resource);
  return {
    ...(first === null ? {} : { firstName: first }),
    ...(last === null ? {} : { lastName: last }),
    ...(full === null ? {} : { name: full }),
  };
}

/** Stages the names of a directory user for an account that the organization's word covers. */
export function stageNames(unit: ProvisioningUnit, user: UserRecord, next: DirectoryUserRecord): UserRecord {
  const names = wantedNames(next);
  const isSame = Object.entries(names).every(([name, value]) => user[name as keyof typeof names] === value);
  return isSame ? user : stageUserChange(unit, user, names);
}

async function findMembershipState(
  environmentId: string,
  organizationId: string,
  userId: string,
): Promise<{ membership: OrganizationMembershipRecord | undefined; state: MembershipState }> {
  const [membership, wasEnded] = await awaitAll([
    findMembership(environmentId, userId, organizationId),
    wasMembershipEnded(environmentId, userId, organizationId),
  ]);
  // An invitation since then is no acceptance.
  if (wasEnded && (membership === undefined || membership.status === 'pending'))
    return { membership, state: 'removed' };
  if (membership === undefined) return { membership, state: 'none' };
  if (membership.status !== 'inactive') return { membership, state: membership.status };
  // A row from before this attribute does not say it: a membership that a directory manages counts as made inactive by it.
  const { inactiveBy = membership.directoryManaged ? 'directory' : 'administrator' } = membership;
  return { membership, state: inactiveBy === 'directory' ? 'left' : 'deactivated' };
}

/**
 * Stages that a directory user joins the organization or returns to it. An account that the organization's word covers becomes an
 * active member, and gets the directory's names. Any other person is invited, and is pending until the acceptance.
 * @param link the account of an earlier membership, which has precedence over the one that has the address now
 */
export async function join(
  unit: ProvisioningUnit,
  directory: DirectoryRecord,
  next: DirectoryUserRecord,
  link: Link,
): Promise<Link> {
  const { environmentId, organizationId, provisioning } = directory;
  const { email } = next;
  if (email === undefined) return link;
  const [organization, linked, byEmail] = await awaitAll([
    findOrganization(environmentId, organizationId),
    link.memberUserId === undefined ? undefined : findUser(environmentId, link.memberUserId),
    getUserByEmail(environmentId, email),
  ]);
  if (organization === undefined) return link;
  const found = linked ?? byEmail;
  const { membership, state } =
    found === undefined
      ? { membership: undefined, state: 'none' as const }
      : await findMembershipState(environmentId, organizationId, found.id);
  const isCovered = coversByDirectory(organization, found ?? { email, emailVerified: false }, email);
  const outcome = decideJoining({ organizationId, provisioning, isCovered, state, at: clock.now() });
  if (outcome === 'unchanged') {
    // The directory user stays linked, so that leaving the directory ends a membership that an administrator reactivates.
    return isCovered && membership !== undefined ? { ...link, ...linkTo(membership) } : link;
  }
  const user = await stageAccount(unit, found, next, {
    environmentId,
    email,
    isNamed: isCovered && outcome === 'active',
  });
  const member = {
    membership,
    user,
    organizationId,
    next,
    status: outcome === 'active' ? 'active' : 'pending',
  } as const;
  const record = await stageMember(unit, member);
  if (outcome === 'invited') await inviteGuest(unit, { environmentId, email: user.email, organization });
  return { ...linkTo(record), mappedRoles: undefined };
}

const linkTo = ({ userId, id }: OrganizationMembershipRecord) => ({ memberUserId: userId, membershipId: id });

/**
 * The account of a directory user: a new one, or the one that exists. Names are changed and the address is proved only if
 * `isNamed`. The address never changes.
 */
async function stageAccount(
  unit: ProvisioningUnit,
  found: UserRecord | undefined,
  next: DirectoryUserRecord,
  { environmentId, email, isNamed }: { environmentId: string; email: string; isNamed: boolean },
): Promise<UserRecord> {
  if (found === undefined) {
    return stageUser(unit, { environmentId, email, emailVerified: isNamed, ...wantedNames(next) });
  }
  return isNamed ? stageNames(unit, await proveEmail(unit, found), next) : found;
}

interface Joining {
  membership: OrganizationMembershipRecord | undefined;
  user: UserRecord;
  organizationId: string;
  next: DirectoryUserRecord;
  status: 'active' | 'pending';
}

/** The membership of a person who joins or is invited. */
async function stageMember(
  unit: ProvisioningUnit,
  { membership, user: { environmentId, id: userId }, organizationId, next, status }: Joining,
): Promise<OrganizationMembershipRecord> {
  const managed = {
    status,
    directoryManaged: true,
    customAttributes: next.customAttributes as Record<string, unknown>,
  };
  if (membership !== undefined) return stageMembershipChange(unit, membership, managed);
  const { defaultRole } = await rolesOfMemberships(environmentId, organizationId);
  return stageMembership(unit, { environmentId, userId, organizationId, ...managed, roles: [defaultRole] });
}
