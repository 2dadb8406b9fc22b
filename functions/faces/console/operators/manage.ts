import { systemActor } from '../../../kernel/authentication/caller.ts';
import {
  ENVIRONMENT_TYPE,
  OPERATORS_ENVIRONMENT_ID,
  OPERATORS_ORGANIZATION_ID,
} from '../../../kernel/authentication/environment-id.ts';
import { emailAddress } from '../../../kernel/address.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { declareError, Failure, general, type Issue, orFail } from '../../../kernel/errors.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { environments } from '../../../kernel/storage/environment.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import {
  findMembershipRights,
  findSubject,
  stageAssignment,
  stageRemoval,
  stageResource,
} from '../../../access/authorization/public.ts';
import {
  findMembership,
  findMemberships,
  type OrganizationMembershipRecord,
  stageMembershipEnd,
} from '../../../tenancy/modules/memberships/public.ts';
import { presenceOfHolder } from '../../../tenancy/modules/role-holders/public.ts';
import { loadModel } from '../../../tenancy/roles/public.ts';
import { findUsersById, getUserByEmail } from '../../../tenancy/modules/users/public.ts';
import { createConsoleLink, findOpenInvitation, stageEndOfLinks } from '../link/make.ts';
import { consoleSessions } from '../session/session.ts';
import { findOwners } from './environment.ts';

const environmentId = OPERATORS_ENVIRONMENT_ID;
const organizationId = OPERATORS_ORGANIZATION_ID;
const ORGANIZATION = { resource_type_slug: 'organization', resource_external_id: organizationId };

/** The error for a change of operators that is not possible; its message says why. */
const operatorChangeRejected = declareError({
  status: 422,
  code: 'operator_change_rejected',
  message: 'The operator cannot be changed.',
});

const reject = (message: string): Failure => new Failure(operatorChangeRejected, { message });
const rejections = {
  fail: (error: Failure['declared']) => new Failure(error),
  invalid: (issues: readonly Issue[]) => new Failure(general.invalidParameters, { issues }),
};

/** An operator with all roles. */
export interface OperatorEntry {
  email: string;
  status: OrganizationMembershipRecord['status'];
  /** The slugs of roles for all environments. */
  roles: readonly string[];
  /** The slugs of roles on single environments, by the id of the environment. */
  environments: ReadonlyMap<string, readonly string[]>;
}

/** The operators of the stage, at most a thousand, with their roles. */
export async function listOperators(): Promise<OperatorEntry[]> {
  const filter = { organizationId, statuses: ['active', 'inactive', 'pending'] as const };
  const { records: members } = await findMemberships(environmentId, filter, { scan: 'asc', limit: 1_000 });
  const users = await findUsersById(environmentId, [...new Set(members.map(({ userId }) => userId))]);
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  return awaitAll(
    members.map(async ({ id, userId, status }): Promise<OperatorEntry> => {
      const rights = await findMembershipRights(environmentId, id, ENVIRONMENT_TYPE);
      const places = [...(rights?.onResources ?? [])].map(([external, { roles }]) => [external, roles] as const);
      return {
        email: emails.get(userId) ?? '',
        status,
        roles: rights?.atOrganization.roles ?? [],
        environments: new Map(places),
      };
    }),
  );
}

/** The membership of an operator; undefined for an address that no operator has, such as one that was only invited. */
async function findMember(email: string): Promise<OrganizationMembershipRecord | undefined> {
  const address = emailAddress(email);
  const user = address === undefined ? undefined : await getUserByEmail(environmentId, address);
  return user && findMembership(environmentId, user.id, organizationId);
}

const noOperator = (email: string): Failure =>
  reject(`There is no operator ${email}, and no open invitation. Links of this address, if it had any, have ended.`);

/** The membership of an operator. @throws Failure if no operator has the address */
const requireMember = (email: string): Promise<OrganizationMembershipRecord> =>
  orFail(findMember(email), () => reject(`There is no operator ${email}.`));

/**
 * Creates a link for an operator, or another one for a person who was invited and has not used a link yet, with the role of the
 * invitation.
 * @returns its path, below the base URL
 * @throws Failure for the address of a stranger
 */
export async function linkOperator(email: string): Promise<string> {
  const [member, invitation] = await awaitAll([findMember(email), findOpenInvitation(email)]);
  if (member !== undefined) return createConsoleLink({ email });
  if (invitation?.role === undefined)
    throw reject(
      `There is no operator ${email}, and no open invitation. Invite the person: invite ${email} --role ROLE.`,
    );
  return createConsoleLink({ email, role: invitation.role });
}

/** The slug of a role at a place: roles on a single environment have a prefix. */
const slugAt = (role: string, target: string | undefined): string =>
  target === undefined ? role : `environment-${role.replace(/^environment-/, '')}`;

/** Checks that there is such a role at the place. @throws Failure that lists the roles */
async function requireRole(role: string, target: string | undefined): Promise<string> {
  const slug = slugAt(role, target);
  const { rolesBySlug } = await loadModel(environmentId);
  const type = target === undefined ? 'organization' : ENVIRONMENT_TYPE;
  if (rolesBySlug.get(slug)?.resourceType === type) return slug;
  const others = [...rolesBySlug.values()].filter(({ resourceType }) => resourceType === type);
  throw reject(`There is no role ${slug}. There are ${others.map((each) => each.slug).join(', ')}.`);
}

/**
 * Gives an operator a role, for all environments or for one.
 * @param target the id of the only environment
 * @throws Failure with a message for the person who runs the command
 */
export async function giveRole(email: string, role: string, target?: string): Promise<void> {
  const { id: membershipId } = await requireMember(email);
  const slug = await requireRole(role, target);
  if (target !== undefined) await provideResource(target);
  const named =
    target === undefined ? ORGANIZATION : { resource_type_slug: ENVIRONMENT_TYPE, resource_external_id: target };
  await applyWork(environmentId, systemActor, async (unit) =>
    stageAssignment(unit, { environmentId, membershipId, named, slug }, rejections),
  );
}

/** Creates the resource of an environment, unless it exists. */
async function provideResource(target: string): Promise<void> {
  const environment = await environments.get(target, target);
  if (environment === undefined || environment.kind === 'operators') throw reject(`There is no environment ${target}.`);
  const wanted = {
    organization_id: organizationId,
    resource_type_slug: ENVIRONMENT_TYPE,
    external_id: target,
    name: environment.name.slice(0, 48),
  };
  try {
    await applyWork(environmentId, systemActor, async (unit) => stageResource(unit, environmentId, wanted, rejections));
  } catch (error) {
    const isThere = error instanceof Failure && error.declared.status === 409;
    if (!isThere) throw error;
  }
}

/**
 * Rejects the removal of the last owner. The commit requires that another owner is still one, so that of two owners who are
 * removed at the same moment one stays.
 */
async function requireOtherOwner(unit: Unit, membershipId: string): Promise<void> {
  const owners = await findOwners(2);
  const other = owners.find(({ holderId }) => holderId !== membershipId);
  if (other !== undefined) unit.stage(presenceOfHolder(other));
  else if (owners.length > 0) throw reject('This is the last owner. Make another operator an owner first.');
}

/**
 * Takes a role from an operator, and ends the operator's unused links; the last owner stays. For a person who was only invited, it
 * revokes the invitation.
 * @throws Failure with a message for the person who runs the command
 */
export async function takeRole(email: string, role: string, target?: string): Promise<void> {
  const slug = await requireRole(role, target);
  const named =
    target === undefined ? ORGANIZATION : { resource_type_slug: ENVIRONMENT_TYPE, resource_external_id: target };
  const isKnown = await applyWork(environmentId, systemActor, async (unit) => {
    const wasInvited = await stageEndOfLinks(unit, email);
    const member = await findMember(email);
    if (member === undefined) return wasInvited;
    if (slug === 'owner') await requireOtherOwner(unit, member.id);
    const { facts, node } = await findSubject(environmentId, member.id, named, rejections.fail);
    await stageRemoval(unit, facts, { slug, resourceId: node.id }, rejections.fail);
    return true;
  });
  if (!isKnown) throw noOperator(email);
}

/**
 * Removes an operator with all roles for all environments, and ends their sessions and unused links; the last owner stays. For a person
 * who was only invited, it revokes the invitation.
 * @throws Failure with a message for the person who runs the command
 */
export async function removeOperator(email: string): Promise<'removed' | 'uninvited'> {
  const result = await applyWork(environmentId, systemActor, async (unit: Unit) => {
    const wasInvited = await stageEndOfLinks(unit, email);
    const member = await findMember(email);
    if (member === undefined) return wasInvited ? 'uninvited' : undefined;
    await requireOtherOwner(unit, member.id);
    stageMembershipEnd(unit, member);
    consoleSessions.stageEndOfAll(unit, environmentId, member.userId);
    return 'removed';
  });
  if (result === undefined) throw noOperator(email);
  return result;
}
