import { type Failure, type Issue, orFail } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import {
  givenRoles,
  presenceOfMembership,
  rolesOfMemberships,
  sortRoles,
  stageMembershipChange,
} from '../../../tenancy/modules/memberships/public.ts';
import { loadRoles, ORGANIZATION_TYPE, type Role } from '../../../tenancy/roles/public.ts';
import { ask } from '../check/ask.ts';
import type { Node } from '../check/chain.ts';
import type { Facts } from '../check/facts.ts';
import { presenceOfResource } from '../resource/entity.ts';
import type { Named } from '../resource/schema.ts';
import { createGrant, removalOfGrant } from './entity.ts';
import { assignmentNotFound, givenByGroup, roleNotFound, subjectNotFound } from './errors.ts';
import { organizationAssignmentId } from './ids.ts';
import { findAssignments } from './of-membership.ts';
import type { Assignment } from './schema.ts';

/** Maximum number of roles that a membership has itself on resources below its organization. */
const MOST_GRANTS = 1_000;

/** The errors of a new assignment. */
export const assignmentErrors = [subjectNotFound, roleNotFound] as const;

/** The errors of the removal of an assignment. */
export const removalErrors = [subjectNotFound, assignmentNotFound, givenByGroup] as const;

type Fail<Error> = (error: Error) => Failure;
type MembershipUnit = Unit<'organization_membership.updated'>;

/** A membership and a resource of its organization. */
interface Subject {
  facts: Facts;
  node: Node;
}

/** A membership, with all its assignments, and a resource of its organization. @throws Failure if one does not exist */
export async function findSubject(
  environmentId: string,
  membershipId: string,
  named: Named,
  fail: Fail<typeof subjectNotFound>,
): Promise<Subject> {
  const { facts, findings } = await ask(environmentId, membershipId, [{ named }], { isWhole: true });
  const [node] = findings[0]?.chain ?? [];
  if (node === undefined) throw fail(subjectNotFound);
  return { facts, node };
}

/** A role that the organization can assign, by its slug. */
async function findRole({ environmentId, membership, roles }: Facts, slug: string): Promise<Role | undefined> {
  const known = roles.rolesBySlug.get(slug);
  if (known !== undefined || membership === undefined) return known;
  return (await loadRoles(environmentId, membership.organizationId)).rolesBySlug.get(slug);
}

/**
 * Stages the assignment of a role on a resource to a membership. An existing assignment is returned unchanged.
 * @returns the assignment
 */
export async function stageAssignment(
  unit: MembershipUnit,
  {
    environmentId,
    membershipId,
    named,
    slug,
  }: { environmentId: string; membershipId: string; named: Named; slug: string },
  { fail, invalid }: { fail: Fail<(typeof assignmentErrors)[number]>; invalid: (issues: readonly Issue[]) => Failure },
  { id = newId('role_assignment'), createdAt }: { id?: string | undefined; createdAt?: string | undefined } = {},
): Promise<Assignment> {
  const { facts, node } = await findSubject(environmentId, membershipId, named, fail);
  const role = await orFail(findRole(facts, slug), () => fail(roleNotFound));
  if (role.resourceType !== node.typeSlug) {
    const message = `is a role for resources of type “${role.resourceType}”; this resource is of type “${node.typeSlug}”`;
    throw invalid([{ field: 'role_slug', code: 'invalid_role', message }]);
  }
  if (node.typeSlug === ORGANIZATION_TYPE) return stageAtOrganization(unit, facts, node, role);
  const { grants } = facts.holdings;
  const found = grants.find(({ resourceId, roleId }) => resourceId === node.id && roleId === role.id);
  if (found !== undefined) return { ...found, membershipId, roleSlug: role.slug, resource: node };
  rejectTooMany(facts, invalid);
  const { organizationId } = facts.membership ?? { organizationId: '' };
  const { typeSlug, externalId } = node;
  const grant = {
    environmentId,
    organizationId,
    membershipId,
    roleId: role.id,
    resourceId: node.id,
    typeSlug,
    externalId,
  };
  const { record, writes } = createGrant({ ...grant, id }, createdAt);
  unit.stage(writes);
  unit.stage([presenceOfResource(environmentId, node.id), presenceOfMembership({ environmentId, id: membershipId })]);
  return { ...record, roleSlug: role.slug, resource: node };
}

/**
 * Checks that a membership may get another role; those of deleted roles do not count.
 * @throws Failure for a membership that has the maximum number
 */
function rejectTooMany({ holdings, roles }: Facts, invalid: (issues: readonly Issue[]) => Failure): void {
  if (holdings.grants.length < MOST_GRANTS) return;
  if (holdings.grants.filter(({ roleId }) => roles.roles.has(roleId)).length < MOST_GRANTS) return;
  const message = `is one more than the ${MOST_GRANTS} roles on resources that a membership may have; give it a group’s role instead`;
  throw invalid([{ field: 'role_slug', code: 'too_many_role_assignments', message }]);
}

/** Stages a role of a membership at its organization: an additional role, or one that replaces the only one. */
async function stageAtOrganization(unit: MembershipUnit, facts: Facts, node: Node, role: Role): Promise<Assignment> {
  const { environmentId, membershipId, membership } = facts;
  if (membership === undefined) throw new Error('The membership was found');
  const known = await rolesOfMemberships(environmentId, membership.organizationId);
  const given = givenRoles(membership, known.bySlug);
  const slugs = facts.isMultiple ? [...given.map(({ slug }) => slug), role.slug] : [role.slug];
  const record = stageMembershipChange(unit, membership, { roles: { known, own: sortRoles(known, slugs) } });
  const id = organizationAssignmentId(membershipId, role.id);
  return {
    id,
    membershipId,
    roleSlug: role.slug,
    resource: node,
    createdAt: record.createdAt,
    updatedAt: record.createdAt,
  };
}

const isOfGroup = ({ resource, group }: Assignment): boolean =>
  group !== undefined && resource.typeSlug === ORGANIZATION_TYPE;

/** The members by which an assignment is selected. */
export type GrantKeys = { id: string } | { slug: string; resourceId: string };

/** Stages the removal of a membership's own role on a resource. @throws Failure if it has no such role */
export async function stageRemoval(
  unit: MembershipUnit,
  facts: Facts,
  keys: GrantKeys,
  fail: Fail<(typeof removalErrors)[number]>,
): Promise<void> {
  const { environmentId, membershipId, membership } = facts;
  if (membership === undefined) throw fail(assignmentNotFound);
  const all = await findAssignments(facts);
  const found = all.filter(({ id, roleSlug, resource }) =>
    'id' in keys ? id === keys.id : roleSlug === keys.slug && resource.id === keys.resourceId,
  );
  const own = found.find(({ group }) => group === undefined);
  if (own === undefined) throw fail(found.length > 0 ? givenByGroup : assignmentNotFound);
  const role = facts.roles.rolesBySlug.get(own.roleSlug);
  if (role === undefined) throw fail(assignmentNotFound);
  const { organizationId } = membership;
  if (own.resource.typeSlug !== ORGANIZATION_TYPE) {
    const grant = { environmentId, organizationId, membershipId, roleId: role.id, resourceId: own.resource.id };
    unit.stage(removalOfGrant(grant));
    return;
  }
  const known = await rolesOfMemberships(environmentId, organizationId);
  const left = givenRoles(membership, known.bySlug).filter(({ id }) => id !== role.id);
  const hasOthers = left.length > 0 || all.some(isOfGroup);
  stageMembershipChange(unit, membership, { roles: { known, own: hasOthers ? left : [known.defaultRole] } });
}
