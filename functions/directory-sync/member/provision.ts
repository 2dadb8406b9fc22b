import { isDeepStrictEqual } from 'node:util';

import { readDomain } from '../../kernel/address.ts';
import { awaitAll } from '../../kernel/concurrency.ts';
import type { EventName } from '../../kernel/events/catalogue/names.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { proveEmail } from '../../email-proofs/public.ts';
import { inviteGuest, withdrawInvitation } from '../../invitations/public.ts';
import {
  findMembershipById,
  findMembership,
  type OrganizationMembershipRecord,
  rolesOfMemberships,
  stageMembership,
  stageMembershipChange,
  stageMembershipRemoval,
} from '../../memberships/public.ts';
import { findOrganization, type OrganizationSummary } from '../../organizations/public.ts';
import { stageRevocationOfAll } from '../../sessions/public.ts';
import {
  findUser,
  getUserByEmail,
  stageUser,
  stageUserChange,
  touchUserVersion,
  type UserRecord,
} from '../../users/public.ts';
import type { DirectoryRecord } from '../directory/entity.ts';
import type { DirectoryUserRecord } from '../user/entity.ts';
import { readNames } from '../user/schema.ts';

/** The events that the provisioning of directory users emits. */
export const PROVISIONING_EVENTS = [
  'user.created',
  'user.updated',
  'organization_membership.created',
  'organization_membership.updated',
  'organization_membership.deleted',
  'invitation.created',
  'invitation.revoked',
  'session.revoked',
] as const satisfies readonly EventName[];

export type ProvisioningEvents = (typeof PROVISIONING_EVENTS)[number];

type ProvisioningUnit = Unit<ProvisioningEvents>;

/** The user and the membership of a directory user, which are kept while the directory user is inactive. */
export interface Link {
  memberUserId: string | undefined;
  membershipId: string | undefined;
  mappedRoles: string[] | undefined;
}

const NO_LINK: Link = { memberUserId: undefined, membershipId: undefined, mappedRoles: undefined };

/**
 * Stages what follows for the organization's members from a directory user's new state: joining, changes of names and
 * custom attributes, leaving, and returning. A transition without effect costs no read.
 * @param former undefined for a new directory user
 * @param next undefined for a directory user who is removed
 * @returns the link to store with the directory user, without the assigned roles if they must be written again
 */
export async function provision(
  unit: ProvisioningUnit,
  directory: DirectoryRecord,
  former: DirectoryUserRecord | undefined,
  next: DirectoryUserRecord | undefined,
): Promise<Link> {
  const { memberUserId, membershipId, mappedRoles }: Partial<Link> = former ?? {};
  const link: Link = { memberUserId, membershipId, mappedRoles };
  if (next === undefined || next.state !== 'active') {
    if (former?.state !== 'active' || membershipId === undefined) return link;
    await leave(unit, directory, former);
    return { ...link, mappedRoles: undefined };
  }
  if (directory.provisioning === 'off') return link;
  if (membershipId !== undefined && former?.state === 'active') {
    await follow(unit, directory, former, next);
    return link;
  }
  return join(unit, directory, next, link);
}

/** Reports whether an address is in a domain that the organization has verified. */
function isOwnAddress({ presented }: OrganizationSummary, email: string): boolean {
  const domain = readDomain(email);
  return presented.domains.some(
    ({ domain: own, state }) => own === domain && (state === 'verified' || state === 'legacy_verified'),
  );
}

/** The names of a directory user, as far as the directory has them. */
function wantedNames({ resource }: DirectoryUserRecord) {
  const { first, last, full } = readNames(resource);
  return {
    ...(first === null ? {} : { firstName: first }),
    ...(last === null ? {} : { lastName: last }),
    ...(full === null ? {} : { name: full }),
  };
}

function stageNames(unit: ProvisioningUnit, user: UserRecord, next: DirectoryUserRecord): UserRecord {
  const names = wantedNames(next);
  const isSame = Object.entries(names).every(([name, value]) => user[name as keyof typeof names] === value);
  return isSame ? user : stageUserChange(unit, user, names);
}

/** Stages that a directory user joins the organization or returns to it. */
async function join(
  unit: ProvisioningUnit,
  directory: DirectoryRecord,
  next: DirectoryUserRecord,
  link: Link,
): Promise<Link> {
  const { environmentId, organizationId } = directory;
  const { email } = next;
  if (email === undefined) return link;
  const [organization, linked, byEmail] = await awaitAll([
    findOrganization(environmentId, organizationId),
    link.memberUserId === undefined ? undefined : findUser(environmentId, link.memberUserId),
    getUserByEmail(environmentId, email),
  ]);
  if (organization === undefined) return link;
  const isOwn = isOwnAddress(organization, email);
  if (!isOwn && directory.provisioning !== 'all') return link.membershipId === undefined ? link : NO_LINK;
  const found = linked ?? byEmail;
  const user = isOwn ? await ownUser(unit, environmentId, found, next) : (found ?? guest(unit, environmentId, next));
  const membership = found && (await findMembership(environmentId, found.id, organizationId));
  const record = await stageMember(unit, { membership, user, isOwn, organization, next });
  if (record.status === 'pending') await inviteGuest(unit, { environmentId, email: user.email, organization });
  return { memberUserId: user.id, membershipId: record.id, mappedRoles: undefined };
}

/**
 * The user of an address whose domain the organization has verified. The directory proves the address, as a sign-in would.
 */
async function ownUser(
  unit: ProvisioningUnit,
  environmentId: string,
  found: UserRecord | undefined,
  next: DirectoryUserRecord,
): Promise<UserRecord> {
  const email = next.email ?? '';
  if (found === undefined) return stageUser(unit, { environmentId, email, emailVerified: true, ...wantedNames(next) });
  // The directory proves no other address, and the user may have changed to another one since.
  const user = found.email === email ? await proveEmail(unit, found) : found;
  return stageNames(unit, user, next);
}

const guest = (unit: ProvisioningUnit, environmentId: string, next: DirectoryUserRecord): UserRecord =>
  stageUser(unit, { environmentId, email: next.email ?? '', emailVerified: false, ...wantedNames(next) });

interface Joining {
  membership: OrganizationMembershipRecord | undefined;
  user: UserRecord;
  isOwn: boolean;
  organization: OrganizationSummary;
  next: DirectoryUserRecord;
}

/**
 * The membership of a user who joins: active for addresses of the organization and for guests who were members, otherwise
 * pending.
 */
async function stageMember(
  unit: ProvisioningUnit,
  { membership, user, isOwn, organization, next }: Joining,
): Promise<OrganizationMembershipRecord> {
  const { environmentId, id: userId } = user;
  const customAttributes = next.customAttributes as Record<string, unknown>;
  if (membership !== undefined) {
    const status = isOwn || membership.status !== 'pending' ? 'active' : 'pending';
    return stageMembershipChange(unit, membership, { status, directoryManaged: true, customAttributes });
  }
  const { defaultRole } = await rolesOfMemberships(environmentId, organization.id);
  return stageMembership(unit, {
    environmentId,
    userId,
    organizationId: organization.id,
    status: isOwn ? 'active' : 'pending',
    directoryManaged: true,
    customAttributes,
    roles: [defaultRole],
  });
}

/**
 * Stages changes of names and custom attributes according to the directory. The address of a user never changes this way.
 */
async function follow(
  unit: ProvisioningUnit,
  directory: DirectoryRecord,
  former: DirectoryUserRecord,
  next: DirectoryUserRecord,
): Promise<void> {
  const { environmentId, organizationId } = directory;
  const isRenamed = !isDeepStrictEqual(wantedNames(former), wantedNames(next));
  const isChanged = !isDeepStrictEqual(former.customAttributes, next.customAttributes);
  if (!isRenamed && !isChanged) return;
  const [organization, user, membership] = await awaitAll([
    isRenamed ? findOrganization(environmentId, organizationId) : undefined,
    isRenamed ? findUser(environmentId, former.memberUserId ?? '') : undefined,
    isChanged ? findMembershipById(environmentId, former.membershipId ?? '') : undefined,
  ]);
  if (user !== undefined && organization !== undefined && isOwnAddress(organization, user.email)) {
    stageNames(unit, user, next);
  }
  if (membership !== undefined) {
    stageMembershipChange(unit, membership, { customAttributes: next.customAttributes as Record<string, unknown> });
  }
}

/**
 * Stages that a user leaves the organization, in one transaction. The membership becomes inactive, which refreshes,
 * exchanges of codes and the pages check; its roles are reset. The sessions of the organization are revoked, and also those
 * without an organization if the account's address is in the organization's own domain. A pending membership is deleted
 * with its invitation.
 */
async function leave(unit: ProvisioningUnit, directory: DirectoryRecord, former: DirectoryUserRecord): Promise<void> {
  const { environmentId, organizationId } = directory;
  const [organization, user, membership, known] = await awaitAll([
    findOrganization(environmentId, organizationId),
    findUser(environmentId, former.memberUserId ?? ''),
    findMembershipById(environmentId, former.membershipId ?? ''),
    rolesOfMemberships(environmentId, organizationId),
  ]);
  if (user === undefined || organization === undefined || membership === undefined) return;
  if (membership.status === 'pending') {
    stageMembershipRemoval(unit, membership);
    await withdrawInvitation(unit, { environmentId, email: user.email, organization });
    return;
  }
  stageMembershipChange(unit, membership, { status: 'inactive', roles: { known, own: [known.defaultRole] } });
  touchUserVersion(unit, user);
  const isOwn = isOwnAddress(organization, user.email);
  await stageRevocationOfAll(unit, environmentId, user.id, (session) =>
    session.organizationId === undefined ? isOwn : session.organizationId === organizationId,
  );
}
